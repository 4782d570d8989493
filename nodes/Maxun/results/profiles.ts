import { addressOf } from '../http/links';
import { MAX_LENGTH } from '../http/text';

/** An address, a number, or the URL of a profile. */
export interface Contact {
	/** `email`, `phone`, `whatsapp`, or the name of a site such as `linkedin`. */
	type: string;
	value: string;
}

/** Words in place of a name, in URLs that a site's own pages have. Also words for share buttons, posts and videos. */
const PAGES = new RegExp(
	`^(?:${[
		'.*\\.php|2008|about|account|accounts|ads|ajax|attribution_link|badges|business|c|campaign|careers|channel|compose',
		'connect|creators|developers?|dialog|directory|docs|download|embed|events|example|explore|feeds?|flx|gaming|groups',
		'hashtag|help|home|howyoutubeworks|i|iframe_api|images|intent|jobs|kids|legal|live|login|logout|marketplace|media',
		'messages|music|notes|notifications|oauth|oembed|p|pages|people|pg|photos?|player_api|playlist|plugins|policies',
		'policy|posts|premium|privacy|public|redirect|reels?|results|rules|s|search|settings|share|sharearticle|sharer',
		'shorts|signup|status|statuses|stories|subscription_center|t|terms|tos|tr|tv|upload|user|username|v|videos?|vp',
		'watch|web|welcome|whatsapp|widgets|who_to_follow|your[._-]?(?:account|brand|company|name|page|user\\w*)|yt',
	].join('|')})$`,
	'i',
);

/** The path of a site's profiles, without the slash at its beginning. The first group is what belongs to the profile. */
const SITES: Record<string, RegExp> = {
	facebook: /^(?:pg\/)?([\w.%-]+)$|^(pages\/[^/]+\/\d+|people\/[^/]+\/\w+|p\/[^/]+)$/,
	instagram: /^([\w.]{1,30})$/,
	linkedin: /^((?:company|in|pub|school|showcase)\/[^/]+)/,
	tiktok: /^(@[\w.]+)$/,
	x: /^@?(\w{1,15})$/,
	youtube: /^((?:c|channel|user)\/[^/]+|@[^/]+)|^([\w-]+)$/,
};

/** With the subdomain `www`, `m` or `de-de`. Others are help, shops, or pages for developers. */
const HOST =
	/^(?:(?:www|m|mobile|touch|web|[a-z]{2}(?:-[a-z]{2})?)\.)?(facebook|fb|instagram|linkedin|tiktok|twitter|x|youtube)\.com$/;

const FULL_NAMES: Record<string, string> = { fb: 'facebook', twitter: 'x' };

const WITHOUT_SCHEME = /^(?=(?:www\.)?[a-z]+\.com\/|wa\.me\/)/i;

/** The profile that a link leads to, in one spelling; undefined for posts, share buttons and other links. */
export function profileOf(link: string): Contact | undefined {
	if (link.length > MAX_LENGTH.link) return undefined;
	const full = link.trim().replace(WITHOUT_SCHEME, 'https://');
	const base = 'https://any.example';
	if (!/^(?:https?:)?\/\/|^whatsapp:/i.test(full) || !URL.canParse(full, base)) return undefined;
	const url = new URL(full, base);
	const number = whatsAppNumber(url);
	if (number) return { type: 'whatsapp', value: `https://wa.me/${number}` };
	const [, name] = HOST.exec(url.hostname) ?? [];
	if (!name) return undefined;
	const type = FULL_NAMES[name] ?? name;
	const host = `${type}.com`;
	const route = url.hash.startsWith('#!/') ? url.hash.slice(2) : url.pathname;
	const [, path = ''] = addressOf(`https://${host}${route}`)
		.replaceAll('%40', '@')
		.split(`//${host}/`);
	const id = url.searchParams.get('id') ?? '';
	if (path === 'profile.php' && /^\d+$/.test(id))
		return { type, value: `https://${host}/profile.php?id=${id}` };
	const [, found, other = found] = SITES[type].exec(path) ?? [];
	if (other === undefined || PAGES.test(other) || !/[\p{L}\p{N}]/u.test(other)) return undefined;
	return { type, value: `https://${host}/${other}` };
}

/** Also the code of a business, such as `message/ABC`. */
function whatsAppNumber({ protocol, hostname, pathname, searchParams }: URL): string | undefined {
	if (hostname === 'wa.me') return /^\/(\d{7,15}|message\/\w+)\/?$/.exec(pathname)?.[1];
	const isSending = /^(?:api|web)\.whatsapp\.com$/.test(hostname) || protocol === 'whatsapp:';
	const digits = isSending ? (searchParams.get('phone') ?? '').replace(/\D/g, '') : '';
	return digits.length >= 7 && digits.length <= 15 ? digits : undefined;
}
