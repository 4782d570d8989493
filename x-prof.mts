import fc from 'fast-check';
import { NodeCode } from './test/simulation/process.mts';
import { history } from './test/simulation/waiting/history.mts';
import { play } from './test/simulation/waiting/play.mts';
const code = await NodeCode.load(process.env.SIMULATION_NODES);
const from=Number(process.argv[3]??0);
const all = Array.from({length:Number(process.argv[2]??40)},(_, i)=>fc.sample(history,{seed:from+i,numRuns:1})[0]!);
const t=performance.now(); const c=process.cpuUsage();
const seen=new Map<string,number[]>();
for (const [i,h] of all.entries()) { const t=performance.now(); 
 const o=await play(h, code); const ms=performance.now()-t;
 if(process.argv[4]) console.log(from+i,ms.toFixed(0), h.server, h.executions.map(e=>e.operation+e.items.length+(e.parent)).join(), o.trace.length, o.longestTurn.toFixed(0));
 for (const v of o.violations) { const k=v.replace(/execution \d+/g,'execution N').replace(/e\d+i\d+/g,'KEY').replace(/robot-\d+|run-\d+/g,'ID').replace(/\d+/g,'#').slice(0,140); seen.set(k,[...(seen.get(k)??[]),from+i]); } }
const u=process.cpuUsage(c);
for (const [k,s] of [...seen].sort((a,b)=>b[1].length-a[1].length)) console.log(s.length, k, s.slice(0,4).join());
console.log(((performance.now()-t)/all.length).toFixed(1),'ms wall each', ((u.user+u.system)/1000/all.length).toFixed(1),'ms cpu each');

