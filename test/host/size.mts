/** Whether the suites run at their documented size (`--full`), or at a smaller size for builds. */
export const FULL = process.env.SUITE_SIZE === 'full';
