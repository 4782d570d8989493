import type { SearchConfig } from '../model.mts';
import { ARTICLES, PRODUCTS } from '../site/catalogue.mts';
import { countWords, keywords } from './content.mts';

const RANGE_DAYS = { day: 1, week: 7, month: 31, year: 366 } as const;

/** What the shop's pages contain, their paths in the shop, and how many days ago they appeared. */
const PAGES = [
	...ARTICLES.map(({ title, paragraphs, slug, age }) => ({
		...{ title, snippet: paragraphs[0] ?? '', text: paragraphs.join(' ') },
		...{ path: `articles/${slug}`, age },
	})),
	...PRODUCTS.map(({ name, description, category, id }) => ({
		...{ title: name, snippet: description, text: `${description} ${category}` },
		...{ path: `products/${id}`, age: Number.POSITIVE_INFINITY },
	})),
];

/** Searches the shop. Words in a title count three times. */
export function searchShop({ query, limit, filters: { timeRange } }: SearchConfig) {
	const words = keywords(query);
	return PAGES.filter(({ age }) => timeRange === null || age <= RANGE_DAYS[timeRange])
		.map((page) => ({
			...page,
			score: 3 * countWords(words, page.title) + countWords(words, page.text),
		}))
		.filter(({ score }) => score > 0)
		.sort((a, b) => b.score - a.score)
		.slice(0, limit);
}
