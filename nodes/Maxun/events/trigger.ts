import type {
	IDataObject,
	IHookFunctions,
	INodeProperties,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { z } from 'zod';
import { toNodeError } from '../core/errors';
import { teamField } from '../core/options';
import { flag, locator, oneOf, optionalLocator, several } from '../core/parameters';
import { DEFAULT_PATIENCE, type Patience } from '../core/retry';
import { connect, type Call } from '../core/transport';
import { outputField } from '../fields/output';
import { receive, type Verdict } from './receive';
import { isSecret, newSecret, SECRET_PARAMETER } from './secret';
import { Subscription } from './subscription';

/** The fields of the trigger. */
export const triggerProperties: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: [
			{ name: 'Run Completed', value: 'run_completed', description: 'When a run has ended well' },
			{ name: 'Run Failed', value: 'run_failed', description: 'When a run has failed' },
		],
		default: ['run_completed'],
		description: 'What starts the workflow',
	},
	{
		displayName: 'Robot Names or IDs',
		name: 'robotIds',
		type: 'multiOptions',
		required: true,
		typeOptions: { loadOptionsMethod: 'getRobots', loadOptionsDependsOn: ['options.teamId.value'] },
		default: [],
		description:
			'The robots whose runs start the workflow. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	outputField,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Only Runs With Changes',
				name: 'onlyChanges',
				type: 'boolean',
				default: true,
				description:
					'Whether to start only for runs that differ from the one before, which needs monitoring to compare the runs of the robot',
			},
			teamField,
		],
	},
];

const TriggerParameters = z.object({
	events: several(['run_completed', 'run_failed']).refine(
		(events) => events.length > 0,
		'needs an event',
	),
	robotIds: z
		.preprocess(
			(value) => (typeof value === 'string' ? value.split(',') : value),
			z.array(locator()),
		)
		.refine((ids) => ids.length > 0, 'needs at least one robot'),
	output: oneOf(['simplified', 'rows', 'full']).default('simplified'),
	options: z.object({ onlyChanges: flag().default(false), teamId: optionalLocator() }).default({}),
});

/** What the trigger keeps about itself in n8n: its secret, and the robots that it has registered on. */
const Memory = z.object({ secret: z.string().catch(''), robotIds: z.array(z.string()).catch([]) });

/** The sender waits for the answer and sends again what is not accepted, so there is no long waiting here. */
const BRIEF: Patience = { maxRetries: 1, maxWait: 5_000 };

type TriggerContext = IHookFunctions | IWebhookFunctions;

function parametersOf(context: TriggerContext) {
	const names = Object.keys(TriggerParameters.shape);
	return TriggerParameters.parse(
		Object.fromEntries(names.map((name) => [name, context.getNodeParameter(name, undefined)])),
	);
}

const memoryOf = (context: TriggerContext) => Memory.parse(context.getWorkflowStaticData('node'));

function remember(context: IHookFunctions, memory: IDataObject) {
	Object.assign(context.getWorkflowStaticData('node'), memory);
}

async function callFor(
	context: TriggerContext,
	teamId?: string,
	patience = DEFAULT_PATIENCE,
): Promise<Call> {
	const connection = await connect(context);
	return async (request, answer) => await connection.send(request, answer, { teamId, patience });
}

/** What a hook works with: the subscription, the robots it is to have, and those it was last registered on. */
interface Subscribing {
	subscription: Subscription;
	secret: string;
	robotIds: string[];
	registered: string[];
}

/** Runs a hook; a fault becomes n8n's error for the node. */
async function inHook<T>(
	context: IHookFunctions,
	work: (state: Subscribing) => Promise<T>,
): Promise<T> {
	const state = async (): Promise<Subscribing> => {
		const { events, robotIds, options } = parametersOf(context);
		const { secret: known, robotIds: registered } = memoryOf(context);
		const secret = known || newSecret();
		const address = context.getNodeWebhookUrl('default') ?? '';
		const call = await callFor(context, options.teamId);
		return {
			subscription: new Subscription(call, { address, secret, events }),
			secret,
			robotIds,
			registered,
		};
	};
	return await state()
		.then(work)
		.catch((error: unknown) => {
			throw toNodeError(context.getNode(), error, 0, triggerProperties);
		});
}

/** Whether the trigger is registered on its robots, on them alone, and as it is set now. */
export async function subscriptionExists(context: IHookFunctions): Promise<boolean> {
	return await inHook(context, async ({ subscription, robotIds, registered }) => {
		const hasOthers = registered.some((id) => !robotIds.includes(id));
		return !hasOthers && (await subscription.isComplete(robotIds));
	});
}

/** Registers the trigger on its robots and takes it off those that are no longer among them. */
export async function subscribe(context: IHookFunctions): Promise<boolean> {
	return await inHook(context, async ({ subscription, secret, robotIds, registered }) => {
		await subscription.remove(registered.filter((id) => !robotIds.includes(id)));
		// Known before the first delivery can come, which may be during the registration.
		remember(context, { secret, robotIds });
		await subscription.register(robotIds);
		return true;
	});
}

/** Takes the trigger off all robots that it is or was registered on. */
export async function unsubscribe(context: IHookFunctions): Promise<boolean> {
	return await inHook(context, async ({ subscription, robotIds, registered }) => {
		await subscription.remove([...new Set([...robotIds, ...registered])]);
		remember(context, { robotIds: [] });
		return true;
	});
}

/** Answers a delivery: starts the workflow for a run that is proven and wanted, and never fails for what a stranger sent. */
export async function handleDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const query: IDataObject = { ...(context.getQueryData() as IDataObject) };
	if (!isSecret(query[SECRET_PARAMETER], memoryOf(context).secret)) {
		return refuse(context, 401, 'This address needs its secret');
	}
	const verdict = await judge(context).catch((error: unknown): Verdict => {
		context.logger.error(`Maxun Trigger could not check a delivery: ${String(error)}`);
		return { again: 'the delivery could not be checked' };
	});
	if ('again' in verdict) return refuse(context, 503, verdict.again);
	if ('ignore' in verdict) return { webhookResponse: { ignored: verdict.ignore } };
	return { workflowData: [context.helpers.returnJsonArray(verdict.emit)] };
}

async function judge(context: IWebhookFunctions): Promise<Verdict> {
	const { events, robotIds, output, options } = parametersOf(context);
	const call = await callFor(context, options.teamId, BRIEF);
	const trigger = `${context.getMode()} ${context.getWorkflow().id} ${context.getNode().id}`;
	const settings = { events, robotIds, output, onlyChanges: options.onlyChanges };
	return await receive(context.getBodyData(), settings, trigger, call);
}

/** Answers without starting anything: to throw would show a failed execution for each stranger. */
function refuse(context: IWebhookFunctions, status: number, error: string): IWebhookResponseData {
	context.getResponseObject().status(status).json({ error });
	return { noWebhookResponse: true };
}
