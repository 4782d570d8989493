import { afterEach } from 'vitest';
import { resetDate } from './time.mts';

afterEach(resetDate);
