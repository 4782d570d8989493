import type { CheerioAPI } from 'cheerio';
import type { AnyNode, Element } from 'domhandler';
import { select } from 'xpath';

const SVG = 'http://www.w3.org/2000/svg';

/** A node of the DOM with what the XPath engine reads. cheerio's nodes lack names and attributes in that form. */
interface Mirror {
	nodeType: number;
	nodeName: string;
	localName: string | null;
	namespaceURI: string | null;
	nodeValue: string | null;
	parentNode: Mirror | null;
	ownerDocument: Mirror | null;
	ownerElement?: Mirror;
	firstChild: Mirror | null;
	previousSibling: Mirror | null;
	nextSibling: Mirror | null;
	childNodes: Mirror[];
	attributes: Mirror[] & { item?: (index: number) => Mirror | undefined };
	source?: AnyNode;
}

/**
 * The elements that an XPath selects, in the order of the page.
 * @param from where a relative XPath begins
 * @throws Error for an invalid XPath
 */
export function elementsAt($: CheerioAPI, xpath: string, from?: Element): Element[] {
	const mirrors = new Map<AnyNode, Mirror>();
	const [root] = $.root().toArray();
	if (root === undefined) return [];
	const page = mirrorOf(root, null, null, mirrors);
	const context = from === undefined ? page : (mirrors.get(from) ?? page);
	// The engine only reads the fields above.
	const found: unknown = select(xpath, Object(context));
	const nodes = Array.isArray(found) ? found : [];
	return nodes.flatMap(({ nodeType, source }: Mirror) =>
		nodeType === 1 && source && 'attribs' in source ? [source] : [],
	);
}

function mirrorOf(
	source: AnyNode,
	parentNode: Mirror | null,
	ownerDocument: Mirror | null,
	mirrors: Map<AnyNode, Mirror>,
): Mirror {
	const isElement = 'attribs' in source;
	const name = isElement ? source.name : '';
	const mirror: Mirror = {
		nodeType: source.nodeType,
		nodeName: name,
		localName: isElement ? name : null,
		namespaceURI: isElement && source.namespace === SVG ? SVG : null,
		nodeValue: 'data' in source ? source.data : null,
		parentNode,
		ownerDocument,
		firstChild: null,
		previousSibling: null,
		nextSibling: null,
		childNodes: [],
		attributes: [],
		source,
	};
	mirrors.set(source, mirror);
	const document = ownerDocument ?? mirror;
	if (isElement) mirror.attributes = attributesOf(source, mirror, document);
	const children = 'children' in source ? source.children : [];
	mirror.childNodes = children
		.filter(({ type }) => type !== 'directive')
		.map((child) => mirrorOf(child, mirror, document, mirrors));
	mirror.firstChild = mirror.childNodes[0] ?? null;
	for (const [index, child] of mirror.childNodes.entries()) {
		child.previousSibling = mirror.childNodes[index - 1] ?? null;
		child.nextSibling = mirror.childNodes[index + 1] ?? null;
	}
	return mirror;
}

function attributesOf(
	{ attribs }: Element,
	ownerElement: Mirror,
	ownerDocument: Mirror,
): Mirror['attributes'] {
	const attributes: Mirror['attributes'] = Object.entries(attribs).map(([name, value]) => ({
		nodeType: 2,
		nodeName: name,
		localName: name,
		namespaceURI: null,
		nodeValue: value,
		parentNode: null,
		ownerDocument,
		ownerElement,
		firstChild: null,
		previousSibling: null,
		nextSibling: null,
		childNodes: [],
		attributes: [],
	}));
	attributes.item = (index) => attributes[index];
	return attributes;
}
