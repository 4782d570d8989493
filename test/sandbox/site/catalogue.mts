export const PRODUCTS_PER_PAGE = 8;

/** The name, the price in USD, the stock, the category and the description. */
const ROWS: Array<[string, number, number, string, string]> = [
	['Walnut desk', 249, 12, 'Furniture', 'A solid desk with two drawers, oiled by hand.'],
	['Oak chair', 89.5, 40, 'Furniture', 'A chair with a woven seat that lasts for decades.'],
	['Steel lamp', 39.99, 7, 'Lighting', 'A reading lamp with a heavy foot and a warm light.'],
	['Wool rug', 129, 3, 'Textiles', 'A rug of undyed wool, woven in a small mill.'],
	['Glass vase', 24, 55, 'Decoration', 'A mouth-blown vase for a single branch.'],
	['Linen curtain', 59, 18, 'Textiles', 'A curtain that softens the light and washes well.'],
	['Copper kettle', 74.5, 9, 'Kitchen', 'A kettle that boils a litre in three minutes.'],
	['Birch shelf', 112, 15, 'Furniture', 'A shelf with five boards that needs no tools.'],
	['Stone mortar', 31, 22, 'Kitchen', 'A mortar of granite with a rough bowl.'],
	['Paper lantern', 18.9, 60, 'Lighting', 'A folding lantern of mulberry paper.'],
	['Cork board', 22.4, 33, 'Office', 'A board that holds pins and hides the holes.'],
	['Brass clock', 95, 5, 'Decoration', 'A wall clock without a tick.'],
	['Felt basket', 27, 28, 'Decoration', 'A basket for firewood, toys or yarn.'],
	['Maple tray', 34.5, 16, 'Kitchen', 'A tray with raised edges and good handles.'],
	['Cotton throw', 48, 21, 'Textiles', 'A throw for the sofa and for cool evenings.'],
	['Iron hook', 6.75, 200, 'Office', 'A forged hook that carries ten kilos.'],
	['Bamboo stool', 44, 11, 'Furniture', 'A stool that also serves as a side table.'],
	['Marble board', 52, 8, 'Kitchen', 'A board that keeps pastry cool.'],
	['Ceramic mug', 14.2, 90, 'Kitchen', 'A mug with a thumb rest, glazed in grey.'],
	['Leather tray', 29, 14, 'Office', 'A tray for keys, coins and pencils.'],
	['Pine bench', 139, 4, 'Furniture', 'A bench for the hallway with room for boots.'],
	['Jute mat', 19.5, 37, 'Textiles', 'A mat that takes the mud off every shoe.'],
	['Floor lamp', 119, 6, 'Lighting', 'A lamp with a linen shade and a long arm.'],
	['Enamel pot', 36, 0, 'Kitchen', 'A pot for soup that goes from stove to table.'],
];

export const PRODUCTS = ROWS.map(([name, price, stock, category, description], index) => {
	return { id: index + 1, name, price, stock, category, description };
});
export type Product = (typeof PRODUCTS)[number];

/** The names of the products on the list's first page. */
export const FIRST_PAGE = PRODUCTS.slice(0, PRODUCTS_PER_PAGE).map(({ name }) => name);

/** The shop's journal. An article's age is in days. */
export const ARTICLES = [
	{
		slug: 'oiling-a-desk',
		title: 'How to oil a wooden desk',
		author: 'Ines Falk',
		age: 0,
		paragraphs: [
			'A wooden desk needs oil about once a year. Linseed oil is the usual choice, because it hardens in the wood and does not stay on its surface.',
			'Sand the desk along the grain before you begin. Wipe the dust away with a damp cloth and let the wood dry overnight.',
			'Spread the oil thinly and wait for twenty minutes. Whatever has not been taken up by then must be wiped off, otherwise it becomes sticky.',
			'Oily cloths can catch fire on their own. Dry them outside before you throw them away.',
		],
	},
	{
		slug: 'choosing-a-lamp',
		title: 'Choosing a reading lamp',
		author: 'Tom Brandt',
		age: 3,
		paragraphs: [
			'A good reading lamp stands behind your shoulder. Its light should fall on the page and not into your eyes.',
			'For reading, 450 lumens are enough. A color of 2700 kelvin feels warm and does not keep you awake.',
			'A heavy foot keeps the lamp from tipping over when its arm is long.',
		],
	},
	{
		slug: 'caring-for-wool',
		title: 'Caring for a wool rug',
		author: 'Ines Falk',
		age: 20,
		paragraphs: [
			'Wool cleans itself to a degree. Shake the rug out once a week and turn it every season.',
			'Spots come off with cold water and a little soap. Warm water lets the wool shrink.',
		],
	},
];
export type Article = (typeof ARTICLES)[number];
