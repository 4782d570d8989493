import * as n8nWorkflow from 'n8n-workflow';
import type { Failure, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import type { Fault } from '../helpers/control.mts';
import { execute } from '../helpers/engine/index.mts';
import { locator, maxun } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { Triggers } from './support/triggers.mts';

const sandbox = useSandbox();
const triggers = new Triggers(sandbox);

const refusal = (status: number, error: string, headers: Record<string, string> = {}): Fault => ({
	kind: 'status',
	status,
	headers,
	body: { success: false, error },
	times: 9,
});

const HOUR = { 'retry-after': '3600' };
const UNAVAILABLE = { cause: 'temporarily-unavailable' } as const;
const DOWN_FOR_AN_HOUR: Failure = { ...UNAVAILABLE, retryAfterMs: 3_600_000 };
const REJECTED: Failure = { cause: 'credential-invalid' };
const USED_UP: Failure = { cause: 'quota-exhausted' };
const MISCONFIGURED: Failure = { cause: 'configuration-invalid' };

/** What Maxun Cloud sends, and what n8n's errors declare. */
const FAULTS: Array<[what: string, Fault, Failure | undefined]> = [
	[
		'a rate limit with its time',
		refusal(429, 'Too many requests', HOUR),
		{ cause: 'rate-limited', retryAfterMs: 3_600_000 },
	],
	['too few credits', refusal(402, 'Not enough credits'), USED_UP],
	['a limit of the plan', refusal(403, 'Your plan allows 10 robots'), USED_UP],
	['no API key', refusal(401, 'API key is missing'), REJECTED],
	['an invalid API key', refusal(403, 'Invalid API key'), REJECTED],
	['a role', refusal(403, 'Your team role VIEWER does not allow this'), MISCONFIGURED],
	['a team', refusal(403, 'You are not part of this team'), MISCONFIGURED],
	['a missing robot', refusal(404, 'Robot not found'), MISCONFIGURED],
	['an unknown 403', refusal(403, 'No'), undefined],
	['a wrong value', refusal(400, 'The field "limit" is wrong'), undefined],
	['a status 500', refusal(500, 'Broken'), UNAVAILABLE],
	['a status 503 with a time', refusal(503, 'Down', HOUR), DOWN_FOR_AN_HOUR],
	['a cut connection', { kind: 'reset', times: 9 }, UNAVAILABLE],
	["a proxy's page", { kind: 'status', status: 403, body: '<h1>No</h1>', times: 9 }, UNAVAILABLE],
];

/** The declaration in an error, which n8n stores as a plain object. */
const failureOf = (error: unknown): unknown =>
	typeof error === 'object' && error !== null && 'failure' in error ? error.failure : undefined;

/** The error of a poll. */
const errorOfPoll = async (parameters: INodeParameters = {}): Promise<unknown> =>
	await triggers.poller([sandbox.demo.products], parameters).then(
		() => undefined,
		(error: unknown) => error,
	);

/** Older engines ignore the declaration. */
const KNOWS_FAILURES = 'TIMED_CAUSES' in n8nWorkflow;

describe.runIf(KNOWS_FAILURES)('an error tells n8n why it happened', () => {
	it.each(FAULTS)('in an execution: %s', async (_, fault, failure) => {
		await sandbox.control.fault(fault);
		const { error } = await execute({
			parameters: maxun('robot', 'get', {
				robotId: locator(sandbox.demo.products),
				options: { maxRetries: 0 },
			}),
			credentials: sandbox.credentials(),
		});
		expect(error).toBeDefined();
		expect(failureOf(error)).toEqual(failure);
	});

	// A cut connection would be tried again for seconds.
	it.each(FAULTS.filter(([, { kind }]) => kind === 'status'))(
		'in a poll: %s',
		async (_, fault, failure) => {
			await sandbox.control.fault(fault);
			const error = await errorOfPoll();
			expect(error).toBeInstanceOf(Error);
			expect(failureOf(error)).toEqual(failure);
		},
	);

	it.each<[string, Fault, Failure]>([
		['an invalid API key', refusal(401, 'Unauthorized'), REJECTED],
		['a missing robot', refusal(404, 'Robot not found'), MISCONFIGURED],
		[
			'a URL without an API',
			{ kind: 'status', status: 404, body: '<pre>Cannot GET /api</pre>', times: 9 },
			MISCONFIGURED,
		],
		['a database that is down', refusal(503, 'No database', HOUR), DOWN_FOR_AN_HOUR],
	])('on a self-hosted server: %s', async (_, fault, failure) => {
		await sandbox.control.fault(fault);
		const { error } = await execute({
			parameters: maxun('robot', 'get', { server: 'selfHosted', robotId: locator('r1') }),
			credentials: sandbox.serverCredentials(),
		});
		expect(failureOf(error)).toEqual(failure);
	});
});
