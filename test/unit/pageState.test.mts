import { describe, expect, it } from 'vitest';
import { unreadReason } from '../../nodes/Maxun/results/pageState';

/** Pages of firewalls, servers and frameworks instead of the content. `|` separates the title and the lines. */
const REFUSALS = `
Just a moment...|Enable JavaScript and cookies to continue
Just a moment...|www.shop.example|Verify you are human by completing the action below.|www.shop.example needs to review the security of your connection before proceeding.|Ray ID: 8f2a1c3d4e5f6a7b|Performance & security by Cloudflare
Attention Required! - Cloudflare|# Sorry, you have been blocked|You are unable to access shop.example|## Why have I been blocked?|This website is using a security service to protect itself from online attacks. The action you just performed triggered the security solution.|## What can I do to resolve this?|You can email the site owner to let them know you were blocked.|Cloudflare Ray ID: 8f2a1c3d4e5f6a7b • Your IP: 203.0.113.7
Access denied - shop.example used Cloudflare to restrict access|# Error 1020|Ray ID: 8f2a1c3d4e5f6a7b • 2026-03-01 10:00:00 UTC|Access denied|What happened?|This website is using a security service to protect itself from online attacks.
shop.example - 522: Connection timed out|# Connection timed out Error code 522|Visit cloudflare.com for more information.|2026-03-01 10:00:00 UTC|You|Browser|Working|What can I do?|Please try again in a few minutes.
Nur einen Moment…|Bitte bestätigen Sie, dass Sie ein Mensch sind. Dies kann einige Sekunden dauern.|shop.example muss die Sicherheit Ihrer Verbindung überprüfen, bevor Sie fortfahren können.
Un instant…|Vérifiez que vous êtes humain en effectuant l'action ci-dessous.|shop.example doit vérifier la sécurité de votre connexion avant de continuer.
Un momento…|Verifique que es un ser humano. Esto puede tardar unos segundos.|Ray ID: 8f2a1c3d4e5f6a7b
shop.example|Please enable JS and disable any ad blocker
You have been blocked|# Access is temporarily restricted|We detected unusual activity from your device or network.|Reasons may include:|Rapid taps or clicks|JavaScript disabled or not working|Automated (bot) activity on your network|Need help? Submit feedback.|ID: 0a1b2c3d-4e5f-6789-abcd-ef0123456789
Verification required|Slide right to complete the puzzle.|Please complete the security check to access shop.example|Powered by DataDome
Access Denied|# Access Denied|You don't have permission to access "http://www.shop.example/" on this server.|Reference #18.2d351ab8.1557333295.a4e16ab|https://errors.edgesuite.net/18.2d351ab8.1557333295.a4e16ab
Access to this page has been denied|# Press & Hold to confirm you are a human (and not a bot).|Reference ID 0a1b2c3d-4e5f-6789-abcd-ef0123456789
Access to this page has been denied.|Please verify you are a human|Access to this page has been denied because we believe you are using automation tools to browse the website.|This may happen as a result of the following:|Javascript is disabled or blocked by an extension (ad blockers for example)|Your browser does not support cookies|Reference ID: #0a1b2c3d
|Request unsuccessful. Incapsula incident ID: 523000110078341240-188312034182758912
Pardon Our Interruption|As you were browsing something about your browser made us think you were a bot. There are a few reasons this might happen:|You're a power user moving through this website with super-human speed.|You've disabled cookies in your web browser.|A third-party browser plugin is preventing JavaScript from running.|To regain access, please make sure that cookies and JavaScript are enabled before reloading the page.
Error 15|# Access denied|This request was blocked by our security service|Powered by Imperva|Your IP: 203.0.113.7|Incident ID: 99999999-11111
403 Forbidden|# 403 Forbidden|nginx
404 Not Found|# 404 Not Found|nginx/1.24.0 (Ubuntu)
Robot or human?|Activate and hold the button to confirm that you're human. Thank You!|Try a different method
Error 404 (Not Found)!!1|**404.** That's an error.|The requested URL /desks was not found on this server. That's all we know.
403 Forbidden|# Forbidden|You don't have permission to access this resource.|Apache/2.4.57 (Debian) Server at shop.example Port 443
404 Not Found|# Not Found|The requested URL was not found on this server.|Apache/2.4.57 (Debian) Server at shop.example Port 443
500 Internal Server Error|# Internal Server Error|The server encountered an internal error or misconfiguration and was unable to complete your request.|Please contact the server administrator at webmaster@shop.example to inform them of the time this error occurred.|More information about this error may be available in the server error log.
503 Service Unavailable|# Service Unavailable|The server is temporarily unable to service your request due to maintenance downtime or capacity problems. Please try again later.
ERROR: The request could not be satisfied|# 403 ERROR|## The request could not be satisfied.|Request blocked. We can't connect to the server for this app or website at this time. There might be too much traffic or a configuration error. Try again later, or contact the app or website owner.|Generated by cloudfront (CloudFront)|Request ID: m0Zr8y1kEXAMPLEp7==
503 Backend fetch failed|# Error 503 Backend fetch failed|Backend fetch failed|### Guru Meditation:|XID: 123456789|Varnish cache server
403 - Forbidden: Access is denied.|# Server Error|## 403 - Forbidden: Access is denied.|### You do not have permission to view this directory or page using the credentials that you supplied.
404 - File or directory not found.|# Server Error|## 404 - File or directory not found.|### The resource you are looking for might have been removed, had its name changed, or is temporarily unavailable.
HTTP Error 503. The service is unavailable.|# Service Unavailable|HTTP Error 503. The service is unavailable.
HTTP Status 404 – Not Found|# HTTP Status 404 – Not Found|**Type** Status Report|**Description** The origin server did not find a current representation for the target resource or is not willing to disclose that one exists.|### Apache Tomcat/10.1.16
|# Whitelabel Error Page|This application has no explicit mapping for /error, so you are seeing this as a fallback.|There was an unexpected error (type=Not Found, status=404).
404: This page could not be found|# 404|## This page could not be found.
WordPress › Error|There has been a critical error on this website.|Learn more about troubleshooting WordPress.
|Cannot GET /products
Runtime Error|# Server Error in '/' Application.|**Description:** An application error occurred on the server. The current custom error settings for this application prevent the details from being viewed remotely.
Page not found at /products|# Page not found (404)|Request Method: GET|Request URL: https://shop.example/products
Application error|An error occurred in the application and your page could not be served. If you are the application owner, check your logs for details.
|Application error: a server-side exception has occurred while loading shop.example (see the server logs for more information).
Vercel Security Checkpoint|We're verifying your browser|Website owner? Click here to fix
|{"message":"Forbidden"}
|{"statusCode":404,"message":"Not Found","error":"Not Found"}
Seite nicht gefunden|Die von Ihnen aufgerufene Seite konnte leider nicht gefunden werden. Möglicherweise wurde der Artikel entfernt.|Zur Startseite
429 Too Many Requests|# Too Many Requests|You have sent too many requests in a given amount of time.
Robot Check|Enter the characters you see below|Sorry, we just need to make sure you're not a robot. For best results, please make sure your browser is accepting cookies.
|Our systems have detected unusual traffic from your computer network. This page checks to see if it's really you sending the requests, and not a robot. Why did this happen?|IP address: 203.0.113.7|Time: 2026-03-01T10:00:00Z|URL: https://www.search.example/search?q=desk
Sign in|Sign in to confirm you're not a bot|This helps protect our community. Learn more
Sucuri WebSite Firewall - Access Denied|# Access Denied|Block ID: BFR001|Block reason: Request denied by our firewall.|Time: 2026-03-01 10:00:00|Your IP: 203.0.113.7|© 2026 Sucuri Inc. All rights reserved.
Zugriff verweigert|# Zugriff verweigert|Sie haben keine Berechtigung, diese Seite aufzurufen.
Seite nicht gefunden|# 404|Die angeforderte Seite wurde nicht gefunden.|Zurück zur Startseite
Page introuvable|# Erreur 404|La page que vous recherchez est introuvable.|Retour à l'accueil
Página no encontrada|# Error 404|La página que busca no existe.|Volver al inicio
Pagina non trovata|# Errore 404|La pagina richiesta non è stata trovata.|Torna alla home
Página não encontrada|# Erro 404|A página não foi encontrada.|Voltar para o início
Pagina niet gevonden|# 404|De pagina die u zoekt is niet gevonden.|Ga terug naar de homepage
Доступ запрещён|# Доступ запрещён|Подтвердите, что вы не робот.
Страница не найдена|# Ошибка 404|Страница не найдена|Вернуться на главную
ページが見つかりません|お探しのページは見つかりませんでした。|ホームに戻る
访问被拒绝|请完成安全验证
Strona nie została znaleziona|# Błąd 404|Nie znaleziono strony|Wróć na stronę główną`.trim();

/** Less common ones. */
const MORE_REFUSALS = `
Error 1006 Ray ID: 8f2a|# Error 1006|Access denied|What happened? The owner of this website (shop.example) has banned your IP address.
shop.example | 526: Invalid SSL certificate|# Invalid SSL certificate Error code 526|The origin web server does not have a valid SSL certificate.
Wir überprüfen Ihren Browser|Bitte halten Sie die Taste gedrückt, um zu bestätigen, dass Sie kein Bot sind.
Verifica que no eres un robot|Mantén pulsado el botón para continuar|ID de referencia: 77ab
Vérification de sécurité|Maintenez le bouton enfoncé pour prouver que vous n'êtes pas un robot.
Pressione e segure|Pressione e segure o botão para confirmar que você é humano e não um robô.|ID de referência 77ab
405 Not Allowed|# 405 Not Allowed|nginx/1.20.1
400 Bad Request|# 400 Bad Request|The plain HTTP request was sent to HTTPS port|nginx
414 Request-URI Too Large|# 414 Request-URI Too Large|cloudflare
408 Request Time-out|# 408 Request Time-out|Your browser didn't send a complete request in time.
421 Misdirected Request|# Misdirected Request|The client needs a new connection for this request as the requested host name does not match the Server Name Indication (SNI) in use for this connection.
503 Service Temporarily Unavailable|# 503 Service Temporarily Unavailable|nginx
ERROR: The request could not be satisfied|# 502 ERROR|CloudFront wasn't able to connect to the origin. We can't connect to the server for this app or website at this time.
HTTP Error 503. The service is unavailable.|# Service Unavailable|Application pool is stopped.
403 - Verboten: Zugriff verweigert.|# Serverfehler|Sie sind nicht berechtigt, dieses Verzeichnis oder diese Seite mit den angegebenen Anmeldeinformationen anzuzeigen.
404 - Archivo o directorio no encontrado.|# Error del servidor|Es posible que se haya quitado el recurso que está buscando, que se haya cambiado su nombre o que no esté disponible temporalmente.
404 - Fichier ou répertoire introuvable.|# Erreur du serveur|La ressource que vous recherchez a peut-être été supprimée, renommée ou est temporairement indisponible.
Désolé, une erreur est survenue|Notre équipe technique a été prévenue. Merci de réessayer dans quelques instants.
Lo sentimos, algo ha salido mal|Nuestro equipo ya está trabajando para solucionarlo. Inténtalo de nuevo más tarde.
Ops! Algo deu errado|Tente atualizar a página ou volte mais tarde.
アクセスが集中しています|ただいまアクセスが集中しているため、ページを表示できません。しばらく経ってから再度お試しください。
お探しのページは存在しないか、移動した可能性があります|トップページへ戻る
您的访问过于频繁，请稍后再试|请完成验证后继续访问
抱歉，您要访问的页面出错了|返回首页|刷新页面
Page Not Found (404)|# Page not found (404)|Raised by: shop.views.detail|No Product matches the given query.|You're seeing this error because you have DEBUG = True in your Django settings file.
Hoppla, da ist etwas schiefgelaufen|Wir arbeiten bereits an einer Lösung. Bitte laden Sie die Seite neu.
Es gab einen kritischen Fehler auf deiner Website.|Erfahre mehr über die Problembehandlung in WordPress.
Une erreur critique est survenue sur ce site.|En apprendre plus sur le débogage de WordPress.
Maintenance mode|# We'll be back soon!|Sorry for the inconvenience. We're performing some maintenance at the moment.
Access to this site has been blocked|# Blocked|Your request has been identified as coming from an automated source. Contact support with this ID: 9c1f`.trim();

const row = (page: string) => {
	const [title = '', ...lines] = page.split('|');
	return { url: 'https://shop.example/', title, markdown: lines.join('\n\n') };
};

/** Ordinary pages that use the same words. */
const WRITTEN = `
403 Forbidden|# 403 Forbidden|The HTTP 403 Forbidden client error response status code indicates that the server understood the request but refused to process it.
404|# 404 Not Found|The 404 status code means that a server can't find a resource. Links that lead to such a page are often called broken. See also: 410 Gone.
HTTP status codes|400 Bad Request|401 Unauthorized|403 Forbidden|404 Not Found|500 Internal Server Error|502 Bad Gateway|The first digit says what kind of response it is.
System status|All systems operational|API: operational|Website: operational|Incidents: 503 Service Unavailable on 2 March, resolved after 12 minutes.
Status|OK
Status|All services are up. Uptime: 99.98 %
Incident history|# Service unavailable in Frankfurt|Between 10:00 and 10:12 UTC, 4 % of the requests failed with 502 Bad Gateway. We have replaced a load balancer.
|{"symbol":"EUR","price":1.0832,"time":"2026-03-01T10:00:00Z"}
|{"status":"ok","price":12.5,"error":null}
|{"price":null,"currency":"EUR","error":"not found in this warehouse, order within 3 days"}
|249.00
|403
Desk 404|# Desk 404|€ 249.00|In stock
Peugeot 504|# Peugeot 504|Coupé, 1974, 92,000 km|€ 18,900
Robots|# Cleaning robots|Are you a robot fan? Our 12 models vacuum, mop and empty themselves. From $199.
Captcha Cat Food|# Captcha cat food|Dry food with chicken, 2 kg|$12.90
Why do I see a captcha?|# Why do I see a captcha?|Our shop uses captchas so that programs can't buy all tickets. You may be asked to verify that you are human when you log in.|Type the letters, or select the pictures with a bus.
Help|How do I confirm that I'm not a robot? Tick the box before you order. If it doesn't appear, allow JavaScript.
Privacy|We use cookies and a captcha by Example Inc. to protect our forms from robots. The legal basis is Art. 6 (1) f GDPR.
Bot check|# The bot check in our forum|New members solve a puzzle once. Moderators see who has failed, and can let them in.
Access denied|# Access Denied|A thriller by Ann Example. Nobody can enter the archive, and Mara has one night to find out who. 320 pages, paperback, €14.
Access denied on Windows|# How to fix "Access is denied"|Right-click the folder, open Properties and take ownership. Then restart the computer.
Error 404: film|# Error 404|Science fiction, 2025, 104 minutes. A pilot wakes up on a station that is on no map.
Seite nicht gefunden|# Seite nicht gefunden: was nun?|Wer eine Fehlerseite gestaltet, sollte einen Suchschlitz und drei Links anbieten. Fünf Beispiele aus dem Handel.
Page introuvable|# Page introuvable : dix exemples réussis|Une bonne page d'erreur fait sourire et propose une recherche. Voici nos préférées.
Página no encontrada|# Página no encontrada|Novela de Marta Ejemplo, 214 páginas. Una bibliotecaria busca la hoja que falta en todos los libros.
Pagina non trovata|# Pagina non trovata, il podcast|Ogni settimana una storia dal web perduto. Ultima puntata: il sito dei treni.
Страница не найдена|# Страница не найдена: как оформить ошибку|Хорошая страница ошибки помогает посетителю найти нужный раздел и вернуться к покупкам.
Sayfa bulunamadı|# Sayfa bulunamadı hatası nedir?|Bu hata, sunucunun istenen adresi bilmediğini gösterir. Adresi düzeltmek çoğu zaman yeterlidir.
ページが見つかりません|# 「ページが見つかりません」の直し方|リンク先のアドレスが変わったときに表示されます。サイト管理者は転送を設定しましょう。
Just a moment|# Just a Moment|Song by The Examples, 3:42, from the album Waiting Rooms.
Please wait|# Please wait here|Numbers 40 to 60 are being served at counter B. The office closes at 12:30.
Forbidden|# Forbidden|Perfume, 50 ml|$89.00|Add to cart
Gone|# Gone|Single by Anna Example|Listen now
Unauthorized biography|# Unauthorized|The life of a painter who never gave an interview. Hardcover, £20.
Line closed|# Service unavailable|Tram 12 does not run between Market Square and Harbor today. Use bus 40.
Blocked|# Road blocked|The A7 is blocked between exits 12 and 13 after an accident. Expect 40 minutes more.
412 articles|Archive|Categories|Search|Home|Contact|Login
Changelog|## 2.1.4|Fixed: an error occurred when a page was not found.|Fixed: too many requests after a restart.
Security|# Security check at the airport|Put liquids into a clear bag. The check takes 15 minutes on average.
Home|Welcome to our shop|New: walnut desks|Sign in|Contact
Sign in|# Sign in|Email|Password|Forgot your password?
Contact|Please call us: +49 30 123456. We are here from 9 to 5.
Closed|The shop is closed until 3 January. Orders arrive later.
Maintenance|Our phones are down today. Write to us, and we answer within two hours.
nginx|# nginx 1.27 released|The new version fixes two bugs: a 502 Bad Gateway with gRPC, and a memory leak.
Cloudflare Ray ID|# What is a Ray ID?|Cloudflare gives each request an ID. Visitors see it on error pages and can send it to the site's owner, who finds the request in the logs with it.
Search|No results for "desk 9000".
Cart|Your cart is empty.
Jobs|There are no open positions at the moment.
Weather|Berlin: 12 °C, light rain`.trim();

const SUBJECTS = 'robots captchas firewalls errors access bots cookies desks prices servers'.split(
	' ',
);
const TOPICS = [
	(of: string) =>
		`About ${of}|# About ${of}|We collect what readers want to know about ${of}. Today: three tips from our workshop.`,
	(of: string) => `${of} in stock|# 12 ${of}|Price: $49.00|Delivery within 3 days|Add to cart`,
	(of: string) =>
		`${of}: 404 Not Found|# Why ${of} lead to 404 Not Found|A link is old, or a page has moved. Our editors check all links about ${of} each month.`,
	(of: string) =>
		`FAQ ${of}|## Do you verify that customers are human?|Only if somebody orders ${of} very often. Then we ask for a phone number.`,
	(of: string) =>
		`Status of ${of}|${of}: operational|Last incident: 503 Service Unavailable, 12 minutes|Next maintenance: Sunday`,
	(of: string) =>
		`Zugriff auf ${of}|# Zugriff verweigert?|So richten Sie Rechte für ${of} ein: Öffnen Sie die Verwaltung und wählen Sie eine Gruppe.`,
	(of: string) => `|{"item":"${of}","price":12.5,"status":"available"}`,
	(of: string) => `${of} today|${of}|403|404|500|Total: 1307`,
	(of: string) =>
		`News|# "Access denied": ${of} at work|A study shows how often people meet ${of}. It asked 2,000 employees in nine countries.`,
];
const LONG = ` ${'The text goes on, and says more than an error page would. '.repeat(40)}`;
const generated = SUBJECTS.flatMap((of) => TOPICS.map((page) => page(of)));
const short = [...WRITTEN.split('\n'), ...generated];
const ordinary = [
	...short,
	...short.map((page) => page + LONG),
	...REFUSALS.split('\n').map((page) => page + LONG),
	// Most sites show their menu and footer around a short text.
	...generated.map(
		(page) => `${page}|Home|Shop|Blog|Desks from $49|Chairs from $39|© Example Shop, Berlin`,
	),
	...generated.slice(0, 68).map((page) => page.toUpperCase()),
];

describe('a page that could not be read', () => {
	it.each([
		['60 error pages and bot checks', REFUSALS, 3],
		['30 less common ones', MORE_REFUSALS, 4],
	])('is recognized among %s', (_, pages, most) => {
		const missed = pages.split('\n').filter((page) => unreadReason(row(page)) === undefined);
		expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(most);
	});

	it('is not seen in 500 ordinary pages', () => {
		expect(ordinary).toHaveLength(500);
		expect(ordinary.filter((page) => unreadReason(row(page)) !== undefined)).toEqual([]);
	});

	it.each([
		[
			'an error instead of content',
			{ error: 'page.goto: Timeout\n    at process (node:x)', title: 'A' },
			'page.goto: Timeout',
		],
		['a status of the page', { markdown: 'Hello', metadata: { statusCode: '403' } }, 'HTTP 403'],
		[
			'an error page as HTML',
			{ html: '<title>403 Forbidden</title><h1>403 Forbidden</h1><hr>nginx' },
			'The page says: 403 Forbidden',
		],
		[
			'nothing',
			{ url: 'https://a.example/', markdown: '', metadata: { statusCode: 200 } },
			undefined,
		],
		['only a description', { title: '403 Forbidden', description: '403 Forbidden' }, undefined],
		['10 MB', { html: '<p>403 Forbidden</p>'.repeat(500_000) }, undefined],
	])('is recognized by %s', (_, page, reason) => {
		expect(unreadReason(page)).toBe(reason);
	});
});
