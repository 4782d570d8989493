import { operation } from '../operation';
import { recover, type MaxunFault } from '../../http/fault';
import { DEFINITION_FIELDS, robotOutput } from '../../results/robotOutput';
import { robotField } from '../../fields/locators';
import { checkSelectedFields, robotOutputFields } from '../../fields/output';

export const get = operation(
	{
		resource: 'robot',
		value: 'get',
		name: 'Get',
		action: 'Get robot',
		description:
			'Retrieve a robot with its fields, lists and steps. Raw output also contains its schedule and other settings.',
		properties: [robotField, ...robotOutputFields],
		rule: checkSelectedFields,
	},
	{
		parallel: true,
		needs: ({ robots, extractRobots }) => ({ robots, extractRobots }),
		run: async ({ robots, extractRobots }, { robotId, ...output }, { hint }) => {
			const robot = await robots.get(robotId);
			const isMissing =
				robot.type === 'extract' && robot.lists === undefined && output.output !== 'raw';
			const describing = isMissing && extractRobots?.describe(robotId);
			const none = (fault: MaxunFault) => {
				hint(`The fields, lists and steps of this robot could not be read: ${fault.message}`);
				return {};
			};
			const definition = describing
				? await recover(describing, { missingRoute: () => ({}), notFound: () => ({}), any: none })
				: {};
			return robotOutput({ ...robot, ...definition }, output, DEFINITION_FIELDS);
		},
	},
);
