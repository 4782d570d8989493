/** Whether the suites run at their documented size (`--full`), or a smaller one for builds. */
export const FULL = process.env.SUITE_SIZE === 'full';
