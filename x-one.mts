import fc from 'fast-check';
import { NodeCode } from './test/simulation/process.mts';
import { history } from './test/simulation/waiting/history.mts';
import { play } from './test/simulation/waiting/play.mts';
const code = await NodeCode.load(process.env.SIMULATION_NODES);
const h = fc.sample(history,{seed:Number(process.argv[2]),numRuns:1})[0]!;
const o=await play(h, code);
console.log(JSON.stringify(h,null,0)); console.log(o.trace.slice(0,Number(process.argv[3]??100)).join('\n')); console.log('...'); console.log(o.trace.slice(-Number(process.argv[4]??20)).join('\n')); console.log(o.violations.join('\n'));
process.exit(0);
