import { account } from './account';
import { agent } from './agent';
import { document } from './document';
import { monitoring } from './monitoring';
import { robot } from './robot';
import { run } from './run';
import { schedule } from './schedule';
import { web } from './web';
import { webhook } from './webhook';

/** The operations that most people need first. */
export const resources = [web, run, document, robot, agent, schedule, monitoring, webhook, account];
