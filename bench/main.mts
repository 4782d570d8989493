import { fileURLToPath } from 'node:url';
import { capacity } from './capacity.mts';
import { comparing } from './comparing.mts';
import { deliveries } from './deliveries.mts';
import { returnAll } from './lists.mts';
import { manyPages } from './pages.mts';
import { holds, print, save, type Measurement } from './report.mts';
import { manyRows } from './rows.mts';
import { typedRows } from './typedRows.mts';
import { manyItems, requestsWhileWaiting } from './waiting.mts';

/** The benchmarks by name. Runs the benchmarks in the arguments, or all benchmarks. */
const BENCHMARKS: Record<string, () => Promise<Measurement[]>> = {
	p1: manyItems,
	p2: returnAll,
	p3: requestsWhileWaiting,
	p4: capacity,
	p5: manyRows,
	p6: deliveries,
	p7: manyPages,
	p8: comparing,
	p9: typedRows,
};

const wanted = process.argv.slice(2).map((name) => name.toLowerCase());
const results: Measurement[] = [];
for (const [name, measure] of Object.entries(BENCHMARKS)) {
	if (wanted.length > 0 && !wanted.includes(name)) continue;
	console.log(`${name.toUpperCase()} …`);
	const measured = await measure();
	print(measured);
	results.push(...measured);
	// A measured result counts, even if the rest is stopped.
	await save(fileURLToPath(new URL('results.json', import.meta.url)), results);
}
process.exit(results.every(holds) ? 0 : 1);
