/** What only some kinds of server have. Forms show the fields for it only there. */
export interface Features {
	/** Email alerts and a prompt for comparing runs. */
	alerts: boolean;
	changesFilter: boolean;
	credits: boolean;
	/** Agents that read several pages. */
	deepExtraction: boolean;
	endTime: boolean;
	inputs: boolean;
	/** Runs that hang if they overlap, so each run should end before the next one starts. */
	oneAtATime: boolean;
	/** A location in n8n's private network, perhaps with a public name. */
	privateNetwork: boolean;
	runQuestions: boolean;
	runsByRobot: boolean;
	teams: boolean;
}
