/** What is wrong with a date format that uses Luxon's tokens; undefined if it is valid. */
export function dateFormatProblem(format: string): string | undefined {
	if (format === '' || format === 'X' || format === 'x') return undefined;
	const letters = format.replace(/'[^']*'/g, '').replace(/[^a-z]/gi, '');
	const [unknown] = /([^GyLMdoHhmsSuaZzEckiWq])\1*/.exec(letters) ?? [];
	if (unknown !== undefined) {
		return `'${unknown}' is not a part of a date. Write yyyy for the year, MM for the month, dd for the day, HH for the hour and mm for the minute, and put other words in single quotes`;
	}
	if (/m/.test(letters) && !/[Hh]/.test(letters)) {
		return "'m' is the minute. Write MM for the month";
	}
	return /[yLMdoWckE]/.test(letters) ? undefined : 'it has no day, month or year';
}
