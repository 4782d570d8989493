import type { IDataObject } from 'n8n-workflow';
import { firstLine } from '../http/text';
import { isEmpty, isObject } from '../http/values';

/** The fields of a page that aren't its content. */
const NOT_CONTENT = ['error', 'metadata', 'scrapedAt', 'searchResult', 'title', 'url', 'wordCount'];

/**
 * Why a page could not be read; undefined if it was, even if it is empty. Maxun stores an error instead of the content,
 * or the page of a server or a firewall that doesn't let Maxun in.
 */
export function unreadReason(row: IDataObject): string | undefined {
	const { error, metadata } = row;
	const hasContent = Object.entries(row).some(
		([name, value]) => !NOT_CONTENT.includes(name) && !isEmpty(value),
	);
	if (typeof error === 'string' && error !== '' && !hasContent) return firstLine(error);
	const status = isObject(metadata) ? Number(metadata.statusCode) : 0;
	if (status >= 400 && status < 600) return `HTTP ${status}`;
	// A search result has only a description.
	const isText = TEXTS.some((name) => !isEmpty(row[name]));
	const sentence = isText || !hasContent ? refusalIn(row) : undefined;
	return sentence && `The page says: ${sentence}`;
}

const TEXTS = ['markdown', 'text', 'html'];

/** Maximum number of characters of a page that is only a refusal, without and with markup. */
const [LONGEST, LONGEST_HTML] = [1_500, 60_000];

/**
 * The sentence with which a page refuses to show its content. All its other sentences must be usual for such pages,
 * because articles, help pages and status pages contain the same words. Only the page's own text counts.
 */
function refusalIn(row: IDataObject): string | undefined {
	const text = TEXTS.map((name) => row[name]).find(
		(value): value is string => typeof value === 'string' && value !== '',
	);
	if ((text?.length ?? 0) > LONGEST_HTML) return undefined;
	const metadata = isObject(row.metadata) ? row.metadata : {};
	const sentences = sentencesIn(`${String(row.title ?? metadata.title ?? '')}\n${text ?? ''}`);
	const lengthOf = (list: string[]) => list.join('').length;
	if (lengthOf(sentences) > LONGEST) return undefined;
	const decisive = sentences.slice(0, 4).find((sentence) => REFUSAL.test(sentence));
	const isUsual = (sentence: string) =>
		REFUSAL.test(sentence) ||
		LABEL.test(sentence) ||
		(ADVICE.test(sentence) && TOPIC.test(sentence));
	const unknown = sentences.filter((sentence) => !isUsual(sentence));
	const most = sentences.some((sentence) => MARK.test(sentence)) ? 0.5 : 0.3;
	return lengthOf(unknown) <= most * lengthOf(sentences) ? decisive : undefined;
}

/** A page's sentences in plain text. */
function sentencesIn(text: string): string[] {
	const plain = text
		.replace(/<(script|style|noscript(?=>\s*<img))\b[^]*?<\/\1>|<!--[^]*?-->/gi, ' ')
		.replace(/<(?:br|\/?(?:p|h\d|div|li|title|center|td|tr|hr))\b[^>]*>/gi, '\n')
		.replace(/<[^>]*>/g, ' ')
		// JSON.
		.replace(/"\w+"\s*:/g, '\n')
		.replace(/&nbsp;/g, ' ')
		.replace(/&amp;/g, '&')
		.replace(/&(?:#39|#x27|rsquo);|[’‘`]/g, "'")
		.replace(/&quot;|[“”„"{}[\]]/g, (mark) => (mark === '[' || mark === ']' ? mark : ' '))
		.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replace(/^[\s#>*|=_-]+|[*_]{2,}/gm, '');
	const parts = plain.split(/[\n|]+|(?<=[.!?。！？…])\s+|(?<=[。！？])|(?<!\d)\s[–—-]\s|,\s*$/m);
	return parts
		.map((part) => part.replace(/\s+/g, ' ').trim())
		.filter((part) => /[\p{L}\d]/u.test(part));
}

const anyOf = (sources: string[], flags = 'iu') =>
	new RegExp(`^(?:${sources.join('|')})\\s*[.!:…。！]*$`, flags);

const HUMAN =
	'(?:a |an )?(?:real )?(?:human|person|robot|bot|humano|humain|mens|mensch|umano|человек|człowiek)(?: being)?s?';

const STATUS_WORDS =
	'bad request|unauthori[sz]ed|authori[sz]ation required|forbidden|(?:page |file |object |file or directory )?not found(?: (?:at|for) /\\S*)?|method not allowed|not acceptable|request time-?out|gone|too many requests|(?:internal )?server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|web server is (?:down|returning an unknown error)|(?:connection|a timeout) (?:timed out|occurred)|origin is unreachable|ssl handshake failed|invalid ssl certificate|origin dns error|unavailable for legal reasons|site is overloaded';

/** Sentences with which pages refuse to show their content. */
const REFUSAL = anyOf([
	// A status.
	`(?:http |apache tomcat/\\S+ - )?(?:(?:error|fehler|erreur|errore?|erro|status|fout|błąd|ошибка|hata|fel|feil|virhe|chyba|hiba)(?: code)?:? )?(?:http )?[45]\\d\\d(?: error)?[\\s:.,–-]*(?:\\(?(?:${STATUS_WORDS}|this page could not be found)\\)?)(?:: access is denied)?`,
	'(?:http |server )?(?:error|fehler|erreur|errore?|erro|fout|błąd|ошибка|hata|fel|chyba)(?: code)?:? (?:http )?\\(?[45]\\d\\d\\)?',
	`(?:${STATUS_WORDS}) \\([45]\\d\\d\\)`,
	'cannot (?:get|post) /.*',
	'application error: .{1,120}',
	STATUS_WORDS,
	// Access.
	'(?:sorry,? )?(?:your )?(?:access|request|connection|ip(?: address)?)(?: to .{1,60}?)?(?: has been| was| is)?(?: temporarily| automatically)? (?:denied|blocked|forbidden|rejected|restricted|banned)(?: (?:by|due|because|for|from) .{1,90})?',
	"(?:sorry,? )?(?:you have been|you've been|you are|you were|you're) (?:temporarily )?(?:blocked|denied|banned|rate.limited)(?: .{1,60})?",
	"you (?:don't|do not) have (?:permission|access|authorization) to (?:access|view|see) .{1,160}",
	'(?:the )?request (?:could not be satisfied|unsuccessful|rejected|blocked)',
	'the requested url was rejected',
	'request blocked',
	"we can't connect to the server for this app or website at this time",
	'pardon our interruption.*',
	'unable to access .{1,60}',
	// Not found.
	"(?:oops!? |sorry,? |we're sorry,? |uh.oh!? )?(?:the |this )?(?:requested )?(?:page|url|resource|file|document|site|address)(?: .{1,80}?)? (?:was not|is not|isn't|wasn't|could not be|couldn't be|cannot be|can't be|does not|doesn't|no longer) (?:found|exist|exists|available|be found|located)(?: (?:on|at) .{1,60})?",
	"(?:oops!? |sorry,? )?we (?:can't|couldn't|could not|cannot|are unable to) find (?:the|that|this) page(?: .{1,60})?",
	"there isn't a github pages site here|no such app|domain not found|no such (?:bucket|key)",
	// A failure.
	'(?:an?|the) (?:unexpected |internal |application |server |unhandled )*(?:error|exception)(?: has)? (?:occurred|happened)(?: .{1,90})?',
	"(?:we're sorry,? but |sorry,? )?something went wrong(?: .{1,40})?",
	'(?:the|this) (?:server|site|service|website|page)(?: .{1,40}?)? (?:is|was|encountered) (?:currently |temporarily )?(?:unavailable|unable to .{1,80}|overloaded|down|an internal error.*|unreachable|offline)(?: .{1,60})?',
	'error 503 backend fetch failed|backend fetch failed|guru meditation|whitelabel error page|application error',
	// A check.
	'just a moment|one moment,? please|attention required|one more step|human verification|security (?:check|verification)(?: required)?|bot (?:check|verification)|robot check|captcha(?: required)?|ddos protection by .{1,30}|vercel security checkpoint|please wait',
	`(?!.*\\b(?:may|might|asked|why|how|when|only)\\b)(?:.{0,60}\\b)?(?:verify|confirm|prove|check|make sure|ensure)(?:ing)?(?: that)? (?:if )?(?:you're|you are|your? a|this is) (?:not )?${HUMAN}.{0,90}`,
	`are you (?:a )?${HUMAN}\\?`,
	"(?:i'm|i am) not a robot",
	'(?:please )?(?:complete|solve) (?:the |this )?(?:security check|captcha|challenge|puzzle).{0,90}',
	'(?:please )?(?:press|click) (?:& |and )?hold.{0,80}',
	'(?:please )?(?:enable|turn on|activate|allow) (?:javascript|js|cookies)(?: and (?:cookies|javascript|js))?.{0,90}',
	'(?:checking|verifying) (?:your browser|if the site connection is secure|the security of your connection|your connection).{0,60}',
	"(?:our systems have |we(?:'ve| have)? )?detected (?:unusual|suspicious|automated) (?:traffic|activity|behaviou?r).{0,90}",
	'(?:unusual|suspicious) (?:traffic|activity) (?:detected|from your .{1,40})',
	'enter the characters you see below',
	"sign in to confirm you're not a bot",
	// Other languages: access, not found, failure, check.
	'zugriff (?:verweigert|verboten|gesperrt)|der zugriff .{0,60}(?:verweigert|gesperrt|blockiert)(?: .{1,40})?|(?:diese |die )?(?:angeforderte )?seite (?:(?:wurde )?(?:leider )?nicht gefunden|.{0,50}(?:nicht gefunden|existiert nicht).{0,20})|(?:nur einen|einen) moment(?: bitte)?|bitte (?:bestätigen|beweisen) sie,? dass sie .{1,60}|sicherheits(?:überprüfung|prüfung|abfrage)|interner serverfehler|(?:dieser )?dienst (?:ist )?(?:derzeit |momentan )?nicht verfügbar|sind sie ein (?:mensch|roboter)\\?',
	"accès (?:refusé|interdit|bloqué)|l'accès .{0,60}(?:refusé|bloqué|interdit)|(?:la |cette )?page (?:.{0,30})?(?:introuvable|non trouvée|n'existe pas.{0,20})|un instant(?: s'il vous plaît)?|(?:veuillez )?(?:vérifie[rz]|confirme[rz]|prouve[rz]) que vous .{1,70}|vérification de (?:la )?sécurité|êtes-vous un (?:humain|robot) ?\\?|erreur interne du serveur|service (?:temporairement )?indisponible",
	'acceso (?:denegado|prohibido|bloqueado)|(?:la |esta )?p[áa]gina (?:.{0,30})?(?:no (?:encontrada|existe|se ha encontrado|se encuentra|fue encontrada).{0,20})|un momento(?:,? por favor)?|(?:por favor,? )?(?:verifi(?:que|ca)|confirm[ea]|demuestr[ea]) que (?:es|eres|no es|no eres|usted) .{1,40}|verificación de seguridad|error interno del servidor|servicio no disponible|¿(?:es|eres) (?:un |una )?(?:robot|humano|persona)\\?',
	'accesso (?:negato|vietato|bloccato)|(?:la )?pagina (?:richiesta )?(?:non (?:trovata|esiste|è stata trovata|disponibile).{0,20})|verifica di sicurezza|(?:verifica|conferma|dimostra) (?:di|che) .{0,10}(?:essere|sei|non sei) .{1,40}|errore interno del server|servizio non disponibile',
	'acesso (?:negado|proibido|bloqueado)|(?:a )?página (?:não (?:encontrada|existe|foi encontrada).{0,20})|(?:verifique|confirme) (?:se|que) você .{1,40}|verificação de segurança|erro interno do servidor|serviço indisponível',
	'toegang (?:geweigerd|verboden|geblokkeerd)|(?:de |deze )?pagina (?:.{0,20})?niet gevonden|bevestig dat (?:u|je) .{1,40}|(?:een )?ogenblik(?: geduld)?(?: a\\.?u\\.?b)?|beveiligingscontrole|interne serverfout',
	'(?:odmowa dostępu|dostęp (?:zabroniony|zablokowany))|nie znaleziono(?: strony)?|strona nie (?:została znaleziona|istnieje)|potwierdź,? że .{1,40}|доступ (?:запрещ[её]н|заблокирован|ограничен).{0,60}|страница не (?:найдена|существует)|подтвердите,? что .{1,60}|проверка (?:браузера|безопасности)|erişim (?:engellendi|reddedildi)|sayfa bulunamadı|(?:åtkomst|adgang|tilgang) (?:nekad|nægtet|nektet)|sidan (?:kunde inte hittas|hittades inte)|(?:siden|siden blev) (?:ikke fundet|finnes ikke|ble ikke funnet)|přístup (?:odepřen|zamítnut)|stránka (?:nenalezena|nebyla nalezena)|pääsy (?:estetty|kielletty)|sivua ei löytynyt|a? ?keresett oldal nem található|pagina nu a fost găsită|acces (?:interzis|refuzat)',
	'アクセス(?:が)?(?:拒否|禁止|制限)(?:されました|されています)?|(?:お探しの)?ページ(?:が|は)?見つかりません(?:でした)?|(?:あなたが)?(?:人間|ロボットではない)(?:で)?あることを(?:確認|証明).{0,20}|(?:拒绝访问|禁止访问|访问被拒绝|存取被拒)|(?:您访问的)?(?:页面|頁面)(?:不存在|未找到|找不到)|请(?:完成)?(?:安全)?验证.{0,20}|安全验证|人机验证|액세스(?:가)? 거부(?:됨|되었습니다)?|접근이 (?:거부|차단)되었습니다|페이지를 찾을 수 없습니다|로봇이 아닙니다',
]);

/** What only firewalls and servers write. */
const MARK =
	/ray id|incapsula|incident id|reference (?:#|id)|request id|support id|error(?:s\.edgesuite| reference)|perimeterx|datadome|cloudflare|cloudfront|akamai|varnish|^xid|sucuri|imperva|captcha|nginx|openresty|litespeed|apache\/|^server at|event id|block (?:id|reference)/i;

/** Numbers, IDs, names and links of such pages. */
const LABEL = anyOf([
	'(?:[45]\\d\\d|[\\d.:,/\\s-]+(?:utc|gmt|am|pm|z)?|\\S*\\d[\\w.:#/-]{7,}|(?:https?:\\/\\/)?[\\w-]+(?:\\.[\\w-]+)+\\S*|\\/\\S*)',
	'(?:.{0,30} )?(?:id|#|ip|ip address|reference|xid|url|code|time(?:stamp)?|path|request method|block reason|type)(?: number| code| id)?\\s?[:#]\\s?.{1,120}',
	'(?:microsoft-)?(?:nginx|openresty|apache|litespeed|cloudflare|cloudfront|varnish|iis|tomcat|akamaighost|envoy|caddy|haproxy|cherrypy)\\b.{0,80}',
	'(?:generated|powered|performance|protected|.{0,40} used|visit) .{0,20}(?:cloudflare|cloudfront|akamai|incapsula|imperva|datadome|perimeterx|human security|sucuri|varnish|vercel).{0,60}',
	'(?:home|homepage|back|menu|search|support|help|contact(?: us)?|privacy(?: policy)?|terms(?: of (?:use|service))?|continue|submit|ok|loading|log ?in|sign in|feedback|error|server error|success|null|false|true|none|(?:type |description )?status report|what happened\\?|you|browser|working|host|automated \\(bot\\) activity .{1,40}|rapid taps or clicks|javascript disabled .{1,30}|learn more|why did this happen\\?|reasons may include)',
	'(?:zurück )?(?:zur |zum )?(?:startseite|home|homepage)|(?:retour|revenir) à (?:la page )?.{0,3}accueil|(?:volver|ir) (?:al|a la) (?:inicio|página principal)|torna alla (?:home|homepage|pagina iniziale)|voltar (?:para|ao) .{0,3}início|ga terug naar de (?:homepage|startpagina)|вернуться на главную|на главную(?: страницу)?|wróć (?:na|do) .{1,25}|ana sayfaya? dön|ホームに戻る|トップページ(?:へ|に)戻る?|返回首页|홈으로(?: 돌아가기)?',
]);

/** How such pages advise and explain, if `TOPIC` occurs, too. */
const ADVICE =
	/^(?:please|try|retry|reload|refresh|go|back|return|check|contact|to |if you|you(?:r|'re|'ve)? |we(?:'re|'ve)? |this |as you were|for best results|the (?:page|url|link|action|server|site|owner|error|origin|resource|request|web)|there (?:is|was|were|are|might)|a third.party|an? |sorry|website owner|need|why have|what can|more information|try|no message|description|bitte|falls|wenn|sie |ihr|dies|wir |veuillez|si |vous |votre |cela |por favor|si |su |esto |usted |per favore|la tua|la sua|você |seu |isso |u |uw |dit |пожалуйста|вы |мы |если |ваш|prosze|proszę|lütfen|[\w.-]+\.\w+ (?:needs|muss|doit|debe|necesita|deve|moet))/i;

const TOPIC =
	/\b(?:browser|cookies?|javascript|plugins?|extensions?|ip|owner|administrator|webmaster|support|request|security|network|traffic|connection|robot|bot|try again|later|(?:few|some|several) (?:seconds|minutes)|site|website|web|server log|link|url|address|permission|removed|moved|unavailable|submit|feedback|explicit mapping|speed|community|origin server|unexpected error|given amount of time|sekunden|minuten|später|erneut|verbindung|sicherheit|berechtigung|adresse|réessayer|sécurité|connexion|navigateur|secondes|minutes|seguridad|conexión|segundos|intente|navegador|sicurezza|connessione|riprova|segurança|tente|beveiliging|verbinding)\b|позже|браузер|соединени|później|przeglądark/i;
