const NAME = 'Sheet1';
const COLUMNS = 26;

/** A sheet as Google Sheets keeps it: a grid of a fixed size. Responses leave out the empty end. */
export class Sheet {
	private cells: string[][] = Array.from({ length: 1000 }, () => []);

	get properties() {
		const gridProperties = { rowCount: this.cells.length, columnCount: COLUMNS };
		return { sheetId: 0, title: NAME, index: 0, sheetType: 'GRID', gridProperties };
	}

	/** All rows up to the last row that isn't empty. */
	get rows(): string[][] {
		return this.read(NAME) ?? [];
	}

	fill(rows: string[][]): void {
		this.cells = Array.from({ length: 1000 }, () => []);
		this.write(NAME, rows);
	}

	/** A range's cells in A1 notation, such as `Sheet1!A2:C` or `Sheet1!1:1`. */
	read(range: string): string[][] | undefined {
		const { top, bottom, left, right } = this.area(range);
		const rows = this.cells
			.slice(top, bottom)
			.map((row) => withoutEmptyEnd(row.slice(left, right), (cell) => !cell));
		const filled = withoutEmptyEnd(rows, ({ length }) => length === 0);
		return filled.length > 0 ? filled : undefined;
	}

	/** Writes rows, beginning with a range's first cell. */
	write(range: string, rows: unknown[][]): void {
		const { top, left } = this.area(range);
		if (top + rows.length > this.cells.length)
			throw new Error(`Range (${range}) exceeds grid limits. Max rows: ${this.cells.length}`);
		rows.forEach((row, y) =>
			row.forEach((value, x) => {
				const cells = this.cells[top + y];
				if (!cells || value === null) return;
				while (cells.length < left + x) cells.push('');
				cells[left + x] = String(value);
			}),
		);
	}

	grow(rows: number): void {
		this.cells.push(...Array.from({ length: rows }, () => []));
	}

	/** Deletes rows, so that the next rows move up. */
	deleteRows(from: number, to: number): void {
		if (to > this.cells.length) throw new Error('Cannot delete a row that does not exist');
		this.cells.splice(from, to - from);
	}

	private area(range: string) {
		const [, name, left, top, right, bottom] =
			/^'?([^'!]+)'?(?:!([A-Z]?)(\d*)(?::([A-Z]?)(\d*))?)?$/.exec(range) ?? [];
		if (name !== NAME) throw new Error(`Unable to parse range: ${range}`);
		return {
			top: top ? Number(top) - 1 : 0,
			bottom: bottom ? Number(bottom) : this.cells.length,
			left: left ? column(left) : 0,
			right: right ? column(right) + 1 : COLUMNS,
		};
	}
}

const column = (letter: string) => letter.charCodeAt(0) - 'A'.charCodeAt(0);

function withoutEmptyEnd<T>(list: T[], isEmpty: (entry: T) => boolean): T[] {
	const last = list.map((entry) => !isEmpty(entry)).lastIndexOf(true);
	return list.slice(0, last + 1);
}
