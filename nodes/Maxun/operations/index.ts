import { account } from './account';
import { agent } from './agent';
import { document } from './document';
import { monitoring } from './monitoring';
import { robot } from './robot';
import { run } from './run';
import { schedule } from './schedule';
import { web } from './web';
import { webhook } from './webhook';

/** The node's resources, each with its operations. */
export const resources = [account, agent, document, monitoring, robot, run, schedule, web, webhook];
