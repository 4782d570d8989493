import { CROSSED_OUT, FORMER, type Element } from '../html/reader';
import { chainOf, namesOf, isLasting, narrowed, tagOf, type Path } from '../html/selectors';

// Elements play the same role if their tags, their shared classes and the shapes of their texts are equal.

export const shares = (one: Element, other: Element) =>
	one.kinds.some((name) => other.kinds.includes(name));

/** Whether two elements share a class, or have none. */
export const isAkin = (one: Element, other: Element) =>
	shares(one, other) || one.kinds.length + other.kinds.length === 0;

/** Whether two elements could contain parts of the same list. */
export const isAkinAround = (one: Element, other: Element) =>
	shares(one, other) || ![one, other].some(({ classes }) => classes.some(isLasting));

const INLINE = /^(b|strong|i|em|u|ins|del|s|span|font|small|mark)$/;

/** An element and its ancestors in a row, without elements that only change how it looks. */
export const placeIn = (element: Element, row: Element) =>
	chainOf(element, row).filter((one) => one === element || !INLINE.test(one.tag));

const tagsOf = (chain: Element[]) => chain.map(({ tag }) => tag).join();

export const isAtSamePlace = (one: Element[], other: Element[]) => tagsOf(one) === tagsOf(other);

/** Whether an element plays the same role in its row as another element in another row. */
export const isLike = (element: Element, row: Element, other: Element, top: Element) =>
	shares(element, other) ||
	((element.kinds.length === 0 || other.kinds.length === 0) &&
		isAtSamePlace(placeIn(element, row), placeIn(other, top)));

const MAX_SHAPE = 40;

/** A short text with `0` for each number, such as `$0` for `$1,299.00`. */
export const shapeOf = (key: string) =>
	key.length > MAX_SHAPE ? '' : key.replace(/\d+(?:[.,'’]\d+)*/g, '0');

/** Whether an element, or an element around it in its row, is marked as a value that no longer applies. */
export const isFormer = ({ formers }: Element, row: Element) => formers > row.formers;

/** A path to only this element, if it or an element around it has a distinctive class or tag. */
export function without(path: Path, other: Element, element: Element): Path | undefined {
	const own = chainOf(element);
	const marks = chainOf(other).flatMap((one, depth) => {
		const tag = CROSSED_OUT.test(one.tag) ? [tagOf(one)] : [];
		const chain = depth === 0 ? own.slice(0, 1) : own.slice(1);
		return [...tag, ...namesOf(one).filter(({ css }) => css.includes('.'))]
			.filter(({ matches }) => !chain.some(matches))
			.map((step) => ({ step, isAround: depth > 0 }));
	});
	const telling = marks.find(({ step: { css } }) => FORMER.test(css)) ?? marks[0];
	if (!telling) return undefined;
	const { css, matches } = telling.step;
	const isExcluded = (one: Element): boolean =>
		telling.isAround ? chainOf(one).slice(1).some(matches) : matches(one);
	const steps = [...path.steps];
	const last = steps.pop();
	if (!last) return undefined;
	const more = `:not(${css}${telling.isAround ? ' *' : ''})`;
	const step = narrowed(last, more, (one) => !isExcluded(one));
	return { ...path, css: path.css + more, steps: [...steps, step] };
}
