import { addressOf } from '../http/links';
import { MAX_LENGTH } from '../http/text';

export interface Contact {
	type:
		| 'email'
		| 'phone'
		| 'facebook'
		| 'instagram'
		| 'linkedin'
		| 'tiktok'
		| 'whatsapp'
		| 'x'
		| 'youtube';
	value: string;
}

interface Site {
	type: Contact['type'];
	/** The path of a profile, without the slash at its beginning. The first group is what belongs to the profile. */
	profile: RegExp;
}

/** Words in place of a name, in URLs that a site's own pages have. Also those of share buttons, posts and videos. */
const NO_NAMES = new RegExp(
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

const SITES: Record<string, Site> = {
	'facebook.com': {
		type: 'facebook',
		profile: /^(?:pg\/)?([\w.%-]+)$|^(pages\/[^/]+\/\d+|people\/[^/]+\/\w+|p\/[^/]+)$/,
	},
	'instagram.com': { type: 'instagram', profile: /^([\w.]{1,30})$/ },
	'linkedin.com': { type: 'linkedin', profile: /^((?:company|in|pub|school|showcase)\/[^/]+)/ },
	'tiktok.com': { type: 'tiktok', profile: /^(@[\w.]+)$/ },
	'x.com': { type: 'x', profile: /^@?(\w{1,15})$/ },
	'youtube.com': { type: 'youtube', profile: /^((?:c|channel|user)\/[^/]+|@[^/]+)|^([\w-]+)$/ },
};

const OTHER_HOSTS: Record<string, string> = { 'fb.com': 'facebook.com', 'twitter.com': 'x.com' };

/** Such as `www`, `m` or `de-de`. Other subdomains are help, shops, or pages for developers. */
const SUBDOMAIN = /^(?:www|m|mobile|touch|web|[a-z]{2}(?:-[a-z]{2})?)\.(?=[^.]+\.com$)/;

const WITHOUT_SCHEME =
	/^(?=(?:www\.)?(?:facebook|fb|instagram|linkedin|tiktok|twitter|x|youtube)\.com\/|wa\.me\/)/i;

/** The profile that a link leads to, in one spelling; undefined for posts, share buttons and other links. */
export function profileOf(link: string): Contact | undefined {
	if (link.length > MAX_LENGTH.link) return undefined;
	const full = link.trim().replace(WITHOUT_SCHEME, 'https://');
	const base = 'https://any.example';
	if (!/^(?:https?:)?\/\/|^whatsapp:/i.test(full) || !URL.canParse(full, base)) return undefined;
	const url = new URL(full, base);
	const number = whatsAppNumber(url);
	if (number) return { type: 'whatsapp', value: `https://wa.me/${number}` };
	const own = url.hostname.replace(SUBDOMAIN, '');
	const host = OTHER_HOSTS[own] ?? own;
	if (!Object.hasOwn(SITES, host)) return undefined;
	const { type, profile } = SITES[host];
	const route = url.hash.startsWith('#!/') ? url.hash.slice(2) : url.pathname;
	const [, path = ''] = addressOf(`https://${host}${route}`)
		.replaceAll('%40', '@')
		.split(`//${host}/`);
	const id = url.searchParams.get('id') ?? '';
	if (path === 'profile.php' && /^\d+$/.test(id))
		return { type, value: `https://${host}/profile.php?id=${id}` };
	const [, found, other = found] = profile.exec(path) ?? [];
	if (other === undefined || NO_NAMES.test(other) || !/[\p{L}\p{N}]/u.test(other)) return undefined;
	return { type, value: `https://${host}/${other}` };
}

/** Also the code of a business, such as `message/ABC`. */
function whatsAppNumber({ protocol, hostname, pathname, searchParams }: URL): string | undefined {
	if (hostname === 'wa.me') return /^\/(\d{7,15}|message\/\w+)\/?$/.exec(pathname)?.[1];
	const isSending = /^(?:api|web)\.whatsapp\.com$/.test(hostname) || protocol === 'whatsapp:';
	const digits = isSending ? (searchParams.get('phone') ?? '').replace(/\D/g, '') : '';
	return digits.length >= 7 && digits.length <= 15 ? digits : undefined;
}
