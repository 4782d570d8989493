/** A history that breaks a rule with the nodes of commit 8d4216e. */
interface KnownFailure {
	/** Another history once the generator changes. */
	seed: number;
	rule: string;
	/** What the nodes do wrong. */
	what: string;
}

/** Play one with `npm run test:simulation -- --nodes ../folder-of-that-commit --seed 374`. */
export const KNOWN_FAILURES: KnownFailure[] = [
	{
		seed: 374,
		rule: 'noWebhookStaysBehind',
		what: "With a team member's key, a pause leaves its webhook, so the robot can't be paused on again.",
	},
	{
		seed: 1028,
		rule: 'nobodyTouchesWhatBelongsToOthers',
		what: 'A production execution cancels the run of an execution in the editor and deletes its robot.',
	},
	{
		seed: 101,
		rule: 'noRunStartsTwice',
		what: 'Status 408, 500 and 52x count as not processed, so Retry On Fail starts the run again.',
	},
	{
		seed: 84,
		rule: 'whatMayHaveBeenCreatedIsFoundOrReported',
		what: 'Behind such a status, a temporary robot stays, and nothing names it.',
	},
	{
		seed: 581,
		rule: 'runsThatSucceedGiveTheirData',
		what: 'One read for which DNS fails ends the wait for all items.',
	},
	{
		seed: 199,
		rule: 'runsThatSucceedGiveTheirData',
		what: "A proxy's page with 403 ends the wait as if Maxun had rejected the API key.",
	},
	{
		seed: 285,
		rule: 'runsThatSucceedGiveTheirData',
		what: 'One refused URL fails Run on Many URLs despite Skip the Page, and all other pages are lost.',
	},
	{
		seed: 87,
		rule: 'executionsPauseWhileNothingHappens',
		what: 'Web: Extract on a self-hosted server polls for as long as all browsers are busy.',
	},
	{
		seed: 9,
		rule: 'executionsPauseWhileNothingHappens',
		what: 'So does Agent: Run, which also returns its results late.',
	},
	{
		seed: 5816,
		rule: 'resultsBelongToTheirItems',
		what: 'A start that never arrived adopts the run of another API client.',
	},
	{
		seed: 419,
		rule: 'noRunStartsTwice',
		what: 'Retry On Fail and a run that times out: three runs start instead of one.',
	},
	{
		seed: 37,
		rule: 'runsThatSucceedGiveTheirData',
		what: 'One odd entry in the list of active runs fails the wait for all items.',
	},
];
