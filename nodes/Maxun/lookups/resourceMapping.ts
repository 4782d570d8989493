import type {
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import { z } from 'zod';
import { isRobotSelected, lookUp, robotIn } from './context';

const Input = z.object({
	name: z.string(),
	label: z.string().nullish(),
	type: z.string().optional().catch(undefined),
	required: z.boolean().optional().catch(undefined),
	defaultValue: z.union([z.string(), z.number(), z.boolean()]).nullish().catch(undefined),
});

/** A service that doesn't describe inputs doesn't return any, or only their names. */
const Inputs = z
	.array(z.union([Input, z.string().transform((name): z.output<typeof Input> => ({ name }))]))
	.catch([]);

const PAGE_INPUT = 'originUrl';

const NO_INPUTS =
	"Maxun does not list inputs for this robot. If the robot has inputs, set 'Mapping Column Mode' to 'Map Automatically' to send the fields of each item.";

async function getRobotInputs(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	if (!isRobotSelected(this)) {
		return { fields: [], emptyFieldsNotice: 'Select a robot to see its inputs.' };
	}
	const robot = await lookUp(
		this,
		async (maxun) => await maxun.robots.get(await robotIn(this, maxun)),
	);
	const inputs = Inputs.parse(robot.inputParameters ?? robot.params);
	// The list of URLs contains the page of each run.
	const isOnUrls = this.getCurrentNodeParameter('operation') === 'runOnUrls';
	const fields = inputs.filter(({ name }) => !isOnUrls || name !== PAGE_INPUT).map(inputOf);
	return { fields, emptyFieldsNotice: NO_INPUTS };
}

const inputOf = ({
	name,
	label,
	type,
	required,
	defaultValue,
}: z.output<typeof Input>): ResourceMapperField => {
	const fieldType = type === 'number' || type === 'boolean' ? type : 'string';
	const initial = defaultValue === '' ? undefined : (defaultValue ?? undefined);
	return {
		id: name,
		displayName: name === PAGE_INPUT ? 'Page URL' : label || name,
		type: fieldType,
		// Without a value, a run uses the default.
		required: required === true && initial === undefined,
		display: true,
		defaultMatch: false,
		canBeUsedToMatch: false,
		...(initial !== undefined && { defaultValue: typed(initial, fieldType) }),
	};
};

/** Maxun sends all defaults as text. */
function typed(value: string | number | boolean, type: 'string' | 'number' | 'boolean') {
	if (type === 'number') return Number(value);
	return type === 'boolean' ? String(value) === 'true' : String(value);
}

export const resourceMapping = { getRobotInputs };
