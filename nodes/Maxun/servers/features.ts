/** What only some kinds of server have. Forms show the fields for it only there. */
export interface Features {
	/** Email alerts and a prompt for comparing runs. */
	alerts: boolean;
	/** A filter for runs with changes. */
	changesFilter: boolean;
	credits: boolean;
	/** Agents that read several pages. */
	deepExtraction: boolean;
	/** Schedules with an end time. */
	endTime: boolean;
	/** Robots with inputs. */
	inputs: boolean;
	/** Runs that hang if they overlap, so each run should end before the next one starts. */
	oneAtATime: boolean;
	/** A location in n8n's private network, perhaps with a public name. */
	privateNetwork: boolean;
	/** Questions for a single run. */
	runQuestions: boolean;
	/** Runs that can only be found with their robot. */
	runsByRobot: boolean;
	teams: boolean;
}
