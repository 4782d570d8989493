const ofKind =
	<Kind extends string>(kind: Kind) =>
	({ raw: [phrases] }: TemplateStringsArray) =>
		[kind, phrases] as const;

/**
 * What pages say that refuse to show their content, by kind. The first kind that matches counts. Each line is a pattern for
 * a sentence in lower case and without punctuation. `~` stands for up to 50 characters without digits. After `=`, a
 * phrase is the whole sentence, because these words are also in articles.
 */
export const PHRASES = [
	ofKind('age')`
you must be .{0,40}(18|21|legal).{0,40}(enter|site|website|access|view)
(are you|i am)~(18|21|legal)~(enter|site|website|access|view)
are you (over|at least|of legal)~
enter your (birth|date of birth|age)~to (continue|enter|view|access|proceed)
^(?=.*(seite|site|sitio|sito|web|p[aá]gin|stron|сайт))(.{0,50} )?(müssen|musst|bin|devez|avoir|debe\S*|tener|soy|devi|avere|deve|ter|moet|ben|musisz|mieć|вам) .{0,30}(18|volljährig|majeur|âge légal|edad legal|mayor|maggiorenne|maior|pełnoletni|совершеннолет)~
=age (verification|gate|check|restricted)
`,
	ofKind('blocked')`
access is denied due to
(aren't|not) authori[sz]ed to access
(?<!if )(you|you've|ip|address)( have| has| was| were| are| is| been)+( \w+ly)? (blocked|banned)
ha(s|ve) (banned|blocked) you
your (ip|access|connection|visit|browser|network|location)~(blocked|denied|limited|restricted|rejected|refused|banned|flagged|not allowed|suspicious)
your (last |latest |recent )?(request|query)~(blocked|refused by|flagged|suspicious|illegal|unsafe|threat)
access to (this|our) (web ?)?(page|site|resource|service|url|content|server)~(denied|blocked|restricted|forbidden|limited|disabled)
(page|request|url|access|site)~(blocked|refused|denied|rejected|restricted)~(security|firewall|administrator|webmaster|owner of this|protection|suspicious)
requested url was (rejected|denied|blocked)
(don't|not|no) (have )?permission to (access|view|see|visit|open)
you('re| are)? not (allowed|authori[sz]ed|permitted|able) to (access|view|visit|see|browse|proceed)
you (are unable to|cannot|can't) (access|visit|view) (this|the|our)
request (unsuccessful|could not be satisfied|blocked)
(due to|because of|detected)~(malicious|suspicious|abusive|spam)~(activit|request|traffic|behavio)
(security|protection|defen[sc]e) (service|solution|system|policy|rule|plugin)~(block|trigger|detected|denied|restrict)
web page blocked
(sie|du) ~(keine berechtigung|nicht berechtigt|gesperrt|blockiert)~
(ihr|dein) (ip|zugriff|zugang)~(gesperrt|blockiert)~
n'(avez|êtes) pas~(autoris|droit|permission|accès)
(votre|cette) (ip|adresse ip|requête|accès)~(bloqué|refusé|interdit)
no tiene[ns]?~(permiso|acceso|autoriza)
(non (hai|disponi|si dispone)|non (sei|si è))~(permess|autorizza)
(não (tem|possui|está)|sem)~(permiss|autoriza)
(seu|sua) (ip|conexão|acesso|requisição|solicitação)~(bloquead|negad)
(bent|uw ip|je ip|ip adres)~geblokkeerd~
nie (masz|posiadasz)~(uprawnie|dostęp)
(zostałeś|twój adres ip|twoje ip)~zablokowan
у вас нет (прав|доступ)
(вы |ваш)~(заблокирован|запрещ[её]н)
(izniniz|yetkiniz) (yok|bulunm)
アクセス権(限)?がありません
(訪問|访问)被(拒|阻)
访问受限
无权访问
暂时限制本次访问
禁止访问
(접근|액세스|접속)(이|가)? ?(거부|차단|제한)
(heeft|hebt) geen (toegang|toestemming)
(ip|isteğiniz|erişiminiz)~(engellendi|reddedildi)
sinulla ei ole (oikeu|lupa)
nu aveți (permisiun|acces)
アクセス(が|は)?(拒否|禁止|制限)され
拒绝访问
没有权限访问
(رفض|حظر) ((ال)?وصول|حظرك)
ليس لديك (صلاحية|إذن)
=access (is |was |has been |to (this|the) (page|site|website) (is |was |has been )?)?(denied|forbidden|restricted|blocked|prohibited|refused)
=(request )?(forbidden|blocked)
=(web ?site |ip )blocked
=(unauthorized|(method )?not (allowed|acceptable|authorized|implemented)|(permission|request) denied|bad request)
=(der )?(zugriff|zugang) (wurde |ist )?(verweigert|verboten|gesperrt|blockiert|eingeschränkt)
=(l'|votre )?accès (a été |est )?(refusé|interdit|bloqué|non autorisé)
=(el |l'|o )?ac+es+o (ha sido |está |foi |(è )?stato |è )?(denegado|nega[dt]o|proi?h?ibido|vietato|blo(que|cc)a[dt]o|restringido|restrito|n(o|ão|on) (autorizz?a[dt]o|consentito))
=(odmowa dostępu|dostęp (został )?(zabroniony|zablokowany)|zabronion[ye]|brak dostępu|brak uprawnień)
=доступ (к .{3,30} )?(запрещ[её]н|ограничен|заблокирован|закрыт)( проблема с ip)?
=(erişim (engellendi|reddedildi|yasak.{0,5}|kısıtlandı))
=(åtkomst nekad|adgang nægtet|ingen tilgang|tilgang nektet)
=(přístup (odepřen|zamítnut|zakázán)|pääsy (estetty|kielletty)|hozzáférés megtagadva|acces (interzis|refuzat|blocat))
=(de )?toegang (is |wordt )?(geweigerd|verboten|geblokkeerd|ontzegd)
vous avez été bloqué
(sei stato|has sido|você foi) blo(cca|quea)[dt]
(turn off|disable|отключите)~vpn~
`,
	ofKind('challenge')`
(press|click|hold(ing)?)~(human|robot|bot|verify|confirm|continue)$
(suspected|detected as) (automation|abnormal)
security check is required
hold the button to confirm
to continue please (check|click) the box
(verify|confirm|ensure|mak(e|ing) sure|check|prove|know|show|determine|verifying)~(you are|you're|your|that you|if you)~(human|robot|bot|real person)\b(?!.*(form|comment|message|answer|game))
think (that )?you (might be|are|were) an? (ro)?bot
(slide|drag)~(puzzle|verify|access)
and not a robot
(complete|solve|pass|solving)~(security check|captcha|challenge below)
enter the characters you see
checking (your browser|if the site connection|the site connection)
(security of|if) your connection (is secure|before)?
verif(y|ying) (that |if )?(your (browser|connection)|the security)
needs to review the security
(enable|turn on|turn|activate|enabled|allow) (js|javascript|cookies)~(continue|reload|ad ?blocker|proceed|and cookies|cookies and)
please,? (enable|turn) (js|javascript|cookies)\b(?!.*form)
from your (computer|device|network|ip)~(unusual|suspicious|automated)
(unusual|suspicious|automated|malicious)~from your (computer|device|network|ip|connection|browser)
detected (unusual|suspicious|automated|bot)~(traffic|requests?|network|computer|device)
(anti crawler|ddos|bot|spam) ?(protection|firewall)~(activated|checking)
ddos protection by
your browser will redirect
automatically redirected to the requested page
click the button below to continue shopping
pardon our interruption
bestätig~(mensch|kein (bot|roboter))
(mensch|roboter|bot) (sind|bist)$
sicherheit (ihrer|deiner) verbindung
wir überprüfen (ihren|deinen) browser
ungewöhnlich~(anfragen|aktivität|datenverkehr)
(trafi[ck]|tráfico|traffico|tráfego|verkeer|ruch|трафик).{0,40} (votre|t?su|tua|sua|uw|je|twojej|вашей) ~(réseau|red|rete|rede|netwerk|sieci|сети)~
auf die schaltfläche unten um mit dem einkauf
(vérifi|prouve|confirm|assur)~(humain|robot)
sécurité de votre connexion
javascript est activé$
(verifi|confirm|comprob|demostr|demuestr|asegur)~(humano|no (es|eres|sea|seas) un (ro)?bot|una máquina)
pensar que eres un bot
actividad (inusual|poco habitual)
nietypow~aktywno~
(verific|conferm|dimostr|assicur)~(umano|un robot)
(verifi|confirm|prov)~(humano|um robô)
complete o desafio
(подтверд|провер|докаж)~(не робот|человек)
запросы~похожи на автоматические
(confirm|verific)~(uman|nu sunteți (un )?robot)
(安全|人机|人機|真人)(验证|驗證)~
(请|請)完成.{0,6}(验证|驗證)~
异常(流量|请求)~
異なるトラフィック
cliquez sur le bouton ci dessous pour continuer vos achats
activité inhabituelle~
(clic|botón)~continuar (con la compra|comprando)
attività (insolit|anomal)
(bevestig|controleer|verifi)~(mens|geen robot)
beveiliging van (uw|je) verbinding
(potwierd|sprawdz|zweryfik)~(człowiek|nie jesteś robot)
bezpieczeństw~ (twojego )?połączenia
безопасност~ (вашего )?(подключения|соединения)
проверка (вашего )?браузера
(insan|robot) olma(dığınızı|dı)
insan olduğunuzu
als automatisiert erkannt
lösen sie~captcha
bağlantınızın güvenliğini
(bekräfta|verifiera|bekræft|bekreft)~(människa|menneske|en robot)
(inte|ikke) (är|er) en robot
säkerheten för din anslutning
sikkerheden (af|for) din forbindelse
(ověř|potvr)~(člověk|nejste robot)
(vahvista|varmista)~(ihminen|et ole robotti)
(igazol|erősít)~(ember|nem robot)
ロボットではない
セキュリティを確認する必要
验证您是(真人|人类)
滑块
로봇이 아(닙니다|님을)
사람인지 확인
보안을 검토
자동입력 ?방지
لست روبوت
أنك إنسان
التحقق من (أمان|أنك)
=(just|one) (a )?moment( please)?
=attention required.{0,14}
=one (more|last) step
=(human|security|browser|robot|captcha) (check|verification|challenge|testing)( required| in progress)?
=(additional )?verification required
=bot protection
=robot or human
=ddos guard
=(nur )?einen moment( bitte)?
=ich bin kein roboter
=un instant.{0,16}
=vérification (de sécurité|en cours|requise)?
=eres (humano|un robot).{0,20}
=verificação( de segurança)?
=вы не робот
=are you (a )?(human|robot)
=ddos protection
=verificación( de seguridad)?
=(só )?u[mn] momento.{0,12}
=een (ogenblik|moment) geduld.{0,12}
=chwileczkę
=请稍[候等]
=잠시만 기다리십시오
=beveiligingscontrole
=weryfikacja( bezpieczeństwa)?
=проверка (безопасности|браузера)
=güvenlik (doğrulaması|kontrolü)
`,
	ofKind('rate limit')`
(you have|you've|you are|you're|being|been)~(too many (requests|attempts)|rate limited|reached ~limit)
rate limit (was |has been )?(exceeded|reached)
too many (requests|attempts)~(try|slow|wait|later|given amount)
server too busy
zu viele anfragen
trop de requêtes
(demasiad|much)[ao]s (solicitudes|peticiones)~
troppe richieste
te veel (verzoeken|aanvragen)
(zbyt|za) (wiele|dużo) (żądań|zapytań)
слишком много запросов
for mange (forespørsler|anmodninger)
túl sok kérés
prea multe (solicitări|cereri)
アクセスが集中
(过于|太)频繁
请求(过多|过于频繁)
요청이 너무 많
muitas (solicitações|requisições)
çok fazla istek
för många (förfrågningar|begäran)
liian monta pyyntöä
リクエストが多すぎ
너무 많은 요청
طلبات كثيرة
=(error )?too many (requests|attempts)
=rate limited
`,
	ofKind('not found')`
^site not found
(isn't|is not) the (web )?page you('re| are) looking for
unknown domain
^(there is|there's) nothing here
stron\w* (już )?nie ma
page demandée~disparu
no encontramos~página
^(\w+ )?(this|that|the|your)?( requested)? ?(web ?)?(page|url|content|topic|app|deployment)~(not (be )?found|n't be found|no longer \w+|not available)( here| on( this)? \w+)?$
^(\w+ )?(this|that|the|your)( requested)? ?(web ?)?(page|url|content|topic)~(not exist|n't exist|isn't available|been (re)?moved)( here| right now| or is private)?$
(can't|cannot|couldn't|could not|unable to|didn't|did not) (seem to )?(find|locate|get|show)~(page|file you|url|you('re| are) looking for)
(page|resource|content|site|url) you\S* ~ (not?|can't|could(n't)?|doesn't|isn't|wasn't|moved|removed|deleted|vanished|unavailable)\b
the (requested (page|url|resource|document|file)|(page|url|resource) requested)~(not|no longer|could|unable)
^cannot get$
no such (app|bucket|key|page|domain)
there (is ?n't|is no) (a |such )?(page|site|app|github|\S+ pages site)
no app configured at
(followed|clicked) a (broken|dead|bad|outdated) link
nothing was found at this location
file or directory not found
no explicit mapping for
did not find a current representation
no ~ matches the given query
seite~(nicht (mehr )?(gefunden|existier|finden|verfügbar|vorhanden)|existiert (leider )?nicht|gibt es (hier )?(leider )?nicht)
page~(introuvable|n'existe (pas|plus)|non trouvée|n'est (pas|plus) disponible|n'a pas (pu être|été) trouvée|été (supprimée|déplacée))
(ressource|url)~(introuvable|n'existe|n'a (pas )?pu être|pas été trouvée)
(página|recurso|url|dirección)~(no (se )?(ha )?(sido )?(encontr|existe|encuentra|está disponible|disponible|pudo|puede)|ya no existe|eliminad|quitado)
(pagina|risorsa|url|indirizzo)~(non (è |è stat[ao] |può essere )?(trovat|esist|disponibil|più)|inesistente|rimossa)
(página|recurso|url|endereço)~(não (foi |pôde ser |pode ser |está )?(encontrad|existe|disponí|mais)|removida)
(pagina|bron|url)~(niet (worden |meer )?(gevonden|bestaa|beschikbaar|vinden)|bestaat (helaas )?niet|verwijderd|verplaatst)
(stron[ayę]|zasób|adres)~(nie (została |może |można )?(znalezion|istnieje|odnalezion)|usunięt|przeniesion)
nie (znaleziono|znaleźliśmy|możemy znaleźć|można znaleźć)~(stron|zasob)
страниц[аыу]~(не (найден|существует|доступн|удалось найти)|удален|перемещ|отсутствует)
(sayfa|adres)~(bulunamadı|mevcut değil|bulunamıyor|bulamadık|yok)
sid(an?|en?)~((hittades|finns) inte|inte (hitta|finns)|ikke (fundet|funnet|findes|finnes)|(findes|finnes|kunne) ikke)
stránk[auy]~(nebyla nalezena|nenalezena|neexistuje|nebylo|není)
sivua~(ei (ole|löy|voi))
oldal~(nem (található|létezik|elérhető|talál))
pagin[ăa]~(nu (a fost găsită|există|mai|este|putem|poate))
(ページ|サイト|url)~(見つかりません|存在し(ません|ない)|ありません|削除)
お探しのページ
(页面|頁面|网页|链接|网址)~(不存在|未找到|找不到|无法找到|出错|[已被]删除|丢失)
(找不到|未找到|无法找到)~(页|頁|资源)
페이지~(찾을 수|존재하지|없습니다|없음|삭제)
صفحة~(غير (موجودة|متاحة|متوفرة)|لم|لا)
trouv(e|ons|er) pas~page
non (riusciamo|abbiamo|è stato possibile)~(trova)~pagina
não (foi possível )?(encontra\S*)~página
kunnen? ~pagina~niet
(hitta|finde|finne)~(inte|ikke)~(sida|siden)
(inte|ikke) (hitta|finde|finne)~sid
لم يتم العثور~صفحة
=(the |this |that |requested )?(web ?)?(page|url|document|resource) (was |is |can |could )?(not (be )?found|missing|gone|not available|doesn't exist|does not exist)
=((message )?file )?not found
=website expired
=this page (can't|cannot|could not) be (displayed|shown)
=(seite|(datei oder )?verzeichnis|ressource) (wurde |ist )?(leider )?nicht (gefunden|verfügbar|vorhanden)
=(page|fichier|document|ressource)? ?(introuvable|non trouvée?)
=(página |archivo o directorio |recurso )?no encontrad[oa]
=(pagina |risorsa |file o directory )?non trovat[oa]
=(página |recurso |arquivo )?não encontrad[oa]
=(pagina|bestand|bron)? ?niet gevonden
=nie znaleziono.{0,8}
=(hittades inte|ikke (fundet|funnet)|sidan saknas)
=nem található
=nu a fost găsită?
=未找到
=(请求的)?资源未找到
=찾을 수 없(음|습니다)
=page (no longer )?(removed|deleted|expired)
`,
	ofKind('server error')`
=(internal )?server error
=(intern\w*|kritiek\w*|wewnętrzny|внутренняя|belső|dahili|iç) ((du|del|do|de) )?(server|serveur|servidor|serwera|сервера|sunucu|ошибка)\S*( \S+)?
(intern\w*|critique|crítico|critico) (du|del|do) (server|serveur|servidor)
application owner check
((web ?)?site|server) encountered an (unexpected )?error
error processing your request
doing some work on the site
establishing a database connection
(internal|server|gateway|proxy|upstream|backend|database|application) ~(error|exception)~(occurred|happened|encountered|fetch|in application)
upstream connect error
no healthy upstream
(error|exception|problem) (has )?occurred (in|while|on|with)~(application|page|site|server|request)
critical error on (this|your) website
^(briefly|brevemente|momentaneamente|temporariamente|site momentanément) .{0,20}(available|dispon)~
application error an? (client|server)
server (encountered|is temporarily|is currently|is unable|was unable|met|did ?n't|could ?n't|received|timed)~
server error in
^something went wrong but don't
((web ?)?site|page|server|service)~(down|closed|offline|under|undergoing|performing)~(maintenance|upgrade)
performing (some |scheduled )?maintenance
site (is|will be) (currently |temporarily |back )(down|offline|soon|unavailable)
site can't be reached
unable to handle this request
page isn't working
err (name|connection|ssl|cert|timed|address|tunnel|empty|too)
connection is not private
(invalid ssl|ssl handshake|origin dns|host) (certificate|failed|error)
contact your hosting provider
we('re| are) (currently )?experiencing~(technical|problem|issue|difficult)
(server|anwendung|website|webseite|seite|dienst|shop)~(fehler aufgetreten|nicht erreichbar|überlastet|gewartet|wartung|vorübergehend)
kritischen fehler
algo (ha salido|salió) mal$
algo deu errado$
da ist (leider )?etwas schiefgelaufen$
wartungsarbeiten
une erreur (inattendue |critique )?(est survenue|s'est produite)~
(site|service|serveur|page)~(en maintenance|temporairement (indisponible|inaccessible)|surchargé)
(ha ocurrido|se produjo|se ha producido) un error (en|al|interno)~
(sitio|servicio|servidor|web)~(en mantenimiento|temporalmente (no disponible|fuera))
(strona|serwis|usługa|serwer|witryna)~(w trakcie|niedostępn|prace|przerwa techniczna)
(сайт|сервер|сервис)~(временно недоступ|техническ.{0,4} работ|обслуживании|перегружен)
ошибка сервера
(site|sunucu|sayfa|hizmet)~(bakım|geçici olarak)
došlo k (neočekávané )?chybě
ページを表示できません
服务器(内部)?错误
服务(暂时)?不可用
网络不给力
서버 ?(내부 ?)?오류
내부 서버
접속할 수 없습니다
오류가 발생
refused to connect
origin is unreachable
(site|website|server|pagina)~(in onderhoud|tijdelijk (niet beschikbaar|niet bereikbaar))
=(bad|proxy) gateway
=(gateway|connection|request|origin) ?timed? ?out
=(the |this )?(service|server|(web ?)?site|page|shop|store) (is )?(temporarily |currently )?(unavailable|not available|overloaded)
=(site )?(under|scheduled) maintenance
=we'll be (right )?back( soon| shortly| later)?
=whitelabel error page
=wartung(sarbeiten|smodus)?
=wir sind (bald|gleich|in kürze) (wieder )?(zurück|da|für (sie|dich|euch) da)
=gateway zeitüberschreitung
=servi(ce|cio|zio|ço) (tempora\w+ )?(non? disponib(le|ile)|indispon(ible|ível))
=(usługa|serwis) (tymczasowo )?niedostępn[ya]
=сервис (временно )?недоступен
=(något gick fel|noget gik galt|noe gikk galt|tjänsten är inte tillgänglig|serverfel|serverfejl|serverfeil|underhåll)
=web server is (down|returning an unknown error)
=runtime error
=application error
=proxy error
=web ?site (is )?(under maintenance|offline)
=(\D{0,25} )?something went wrong( on our end)?
=an (unexpected |unknown )?error (has )?occurred
`,
	ofKind('log-in')`
subscribe to (continue|keep) reading
(create an?( free)? account|verify your account|log in) to (read|continue|view|download)
register(ed)? and logged in to
not logged in or
meld\w+ (sie sich|dich) an um
nur für (angemeldete|registrierte)~(zugänglich|sichtbar)
artikel~nur für abonnenten
(story|article|post)~members only
continue reading~subscription
log ?in with another account
pour lire la suite
(article|contenu)~réservé~abonnés
para seguir leyendo
log in to see photos
((log(ged|ging)?|sign(ed|ing)?) ?in~to (continue|view|see|access|read|proceed|use this|watch|get access)|(to (continue|view|see|access|read)|viewing|continuing)~(log|sign) ?(in|on|up))\b(?!.*(price|stock|order|cart|wish|review|comment|reply|favorite))
(must|need to|have to|required to) (first )?be (logged|signed) ?in~(view|see|access|continue|page|read)
(must|need to|have to) (log|sign) ?(in|on) (first|to (view|see|access|continue))
please (log|sign) ?in (again|first|or (register|sign up|create)~(view|continue|access|read))
session (has )?(expired|timed out)~
(content|page|area|site|section|article|video)~(registered |paying )?(members|subscribers|users) only
(subscribe|register|become a member|sign up)( now| for free)? to (continue|keep|read|unlock|view)
authentication (is )?required
authentication credentials were not provided
must be authenticated
you need (access|permission)$
needs a username and a password
verify that you are authori[sz]ed
enter (store )?using password
(store|site|page|content|post|website) is password protected
(anmelden|einloggen|angemeldet|eingeloggt|loggen)~(um|damit|fortzufahren|zu sehen|weiter)
(müssen|musst) ~(angemeldet|eingeloggt|anmelden|einloggen)~
(connect(er|é|ez)|identifiez|authentifi)~pour (continuer|accéder|voir|consulter|lire|afficher)
inici(ar?|e) sesión para
(accedi|accesso|effettu\S+ (il login|l'accesso)|login|registrati)~per (continuare|visualizzare|vedere|accedere|leggere)
(faça|fazer|efetue|entre|entrar)~(login|conta|sessão)?.{0,6}para (continuar|ver|acessar|visualizar|aceder)
(precisa|deve|necessário)~(login|logado|entrar|autenticad|iniciar sessão)~
(moet|dient)~(ingelogd|aangemeld|inloggen)~
(zaloguj|zalogować|zalogowan)~(aby|żeby|by)
(musisz|wymagane)~(zalogowan|zalogować|logowanie)~
(войдите|авторизуйтесь|войти|зарегистрируйтесь)~(чтобы|для)
(devam|görmek|görüntülemek|erişmek)~için~(giriş|oturum)
(måste|skal|må|behöver)~(logga in|vara inloggad|logge ind|logge inn|være logget)~(för|for)
(logga in|log ind|logg inn) (för|for) att? ?(se|fortsätta|fortsætte|fortsette|läsa|læse|lese)?
(ログイン|サインイン)(して(ください|続行)|が必要|すると|後に)
请(先)?(登录|登入)
登录后(查看|继续|访问|可)
로그인(이 필요|을 해야|하세요|해 주세요| 후)
(تسجيل|سجّ?ل) الدخول~(للمتابعة|لعرض|لمشاهدة|مطلوب)
requires? (authentication|you to (log|sign) in)
authorized to access the (document|requested)
um ~(melden|loggen) sie sich
sitzung (ist )?abgelaufen
pour (continuer|accéder|voir|lire)~(connect|identifi)
session (a )?expiré
para (continuar|ver|acceder)~(inici|ingres|regístr|identif)
sesión ha (caducado|expirado)
per (continuare|visualizzare|accedere)~(accedi|login|effettua|registr)
sessione (è )?scaduta
(log|meld)~(in|aan) om (verder|door|deze|te)
(aby|żeby) ~(zaloguj|zalogować)
(giriş yap|oturum aç)(manız|ın)~gerek
需要登录
=(authentication|authori[sz]ation|log ?in|sign in|account) required
=members only
=bitte (melden sie sich an|melde dich an|anmelden|einloggen)
`,
	ofKind('consent')`
before you (continue|go|proceed) to (google|youtube|our|the (site|website))
(accept|agree to|consent to|allow)~cookies~ to (continue|proceed|enter|access|use|view)
(we|us)( and our)? ?(\d+ )?(third party )?(partners|vendors)~(store|process|cookies|device|personal data)
we use (necessary |optional |essential )?cookies~
(site|website|page|app) uses (\S+ )?cookies~
(akzeptier|stimmen|zustimm|einwillig)~(fortzufahren|weiterzu|zu nutzen|nutzen zu|weiter)
bevor (sie|du)~(fortfahren|fortfährst|weitergehen|weitergehst)
wir (verwenden|nutzen|setzen) ~cookies~
(benötigen|brauchen) (ihre|deine) (zustimmung|einwilligung)~
(mit|weiter mit) werbung~
(accepte[rz]?|consent|accord|acceptant)~(continuer|poursuivre|cookies|publicité)
nous (utilisons|et nos)~(cookies|partenaires)~
vous acceptez~cookies
avant (de continuer|d'accéder)~
nosotros y nuestros~socios~
(acepta)~cookies~(suscr|continu)~
(accetta)~(cookie|continua)
noi e i nostri~partner~
nós e os nossos~parceiros~
=(aceitar|rejeitar) (tudo|todos)
wir und unsere~partner~
(utilizziamo|usiamo|utilizza|usa) ~cookie~
(wij|we) en onze~partners~
(akkoord|accepteer)~(verder|doorgaan|gaan)
(my i|wraz z) nasi(mi)?~partner~
akceptuj~(przejd|przechodz|kontynu)
(мы|сайт) использу(ем|ет)~(cookie|куки)~
(примите|согласи)~(cookie|куки|чтобы продолжить)
(чтобы|для) продолж~(примите|согласи)
to (continue|proceed|enter|access)~(accept|agree|consent)~(cookies|terms|privacy)
=(i )?(accept|allow|reject|deny|decline|(dis)?agree|accept and (continue|close))( all)?( cookies)?
=manage (cookies|preferences|settings|options|privacy settings)
=we (value|respect|care about) your privacy
=this (site|website) uses cookies
=(alles? )?(cookies )?(akzeptieren|ablehnen|erlauben)
=weitere optionen
=cookie einstellungen
=paramétrer( les cookies)?
=refuser et s'abonner
=nous respectons votre vie privée
=accepter (et|and) (continuer|fermer)
votre vie privée (est|nous)~
=continuer sans accepter
aceptas las cookies
cookies akzeptieren$
=(aceptar|rechazar)( todo| todas)?( y (suscribirse|continuar))?
=(tu|su) privacidad (es importante|nos importa).{0,20}
=(accetta|rifiuta)( tutto| tutti| e abbonati)?
=akkoord
=(wij|we) (waarderen|respecteren) (je|uw|jouw) privacy
=(szanujemy|cenimy|dbamy o) (twoją )?prywatność
=(принять|отклонить)( все)?
=your privacy( is important to us| choices| matters)?
=cookie (consent|settings|preferences|notice)
`,
	ofKind('queue')`
you are number .{0,20} in (the )?(queue|line)
soon as it's your turn
placed in (a|the) (queue|line)
you('re| are) (now )?in (the |a )?(virtual )?(line|queue|waiting room)( to enter~)?$
when it('s| is) your turn,? you
your (number|place|position) in (line|queue|the queue) is
people (are )?(ahead of|in front of) you
leave the (line|queue)$
(lose|keep) your (place|spot)~
^the queue is paused
(virtual|online) (queue|waiting room)~
high (volume of )?traffic~(queue|wait)
in (der|einer) warteschlange$
an der reihe (sind|bist)
(en|dans la|dans une) (file|salle) d'attente$
votre tour (arrivera|viendra)
en la (cola|sala de espera)( virtual)?$
sea (tu|su) turno
sei in coda$
sarà il tuo turno
in de wacht(rij|kamer)$
aan de beurt
順番に(ご案内|お待ち)
お待ちの人数
このままお待ち
ahead of you (in|is)
=waiting room powered by \S+
`,
	ofKind('region')`
unavailable in most european countries
(isn't|not|no longer) (yet |currently )?available in (your|this) (country|region|location)
geo (restricted|blocked)
(video|inhalt)~aus rechtlichen gründen
votre position géographique
from your (country|region|location)~(blocked|restricted|not)
viewed (from|in) your
(content|page|site|service|video|shop|store|game|show|title|article|item)~(n't|not|un|no longer) ?(available|accessible|permitted) (in|from|for) (your|most)~(country|region|area|countries)
(can't|cannot|unable to|don't|not (permitted|allowed) to)~(show|serve|access|browse|provide|offer|display)~your (country|region|location|area)
(access|visitors|connections|users|traffic) (from|in) your (country|region|location|area)~(not|blocked|denied|restricted)
only (works|available|accessible) (in|within) the (uk|us|united \w+|eu)\b
from a country belonging to the european economic area
unavailable (for|due to) legal reasons
your (country|location|region)~(has been|is|was) (blocked|restricted|not supported)
country blocked
in (ihre|deine)[mr] (land|region|gebiet)~(nicht|leider)
(pas|plus|indisponible)~(dans|depuis) votre (pays|région)
no ~en (su|tu) (país|región|zona|ubicación)$
non ~nel (tuo|suo) paese
não ~no seu país
niet ~in (uw|jouw|je) (land|regio)
nie ~w (twoim|twojej|państwa) (kraju|regionie|regioni)
(не|недоступ)~в ваш(ей стране|ем регионе)
お(住まい|使い)の(国|地域)~(利用|ません)
(您|你)(所在|所处)的?(国家|地区|地區|區域|区域)~(不|无法)
nicht ~in (ihre|deine)[mr] (land|region)
(ülkenizde|bölgenizde)~(değil|kullanıl)
(inte|ikke)~i (ditt|din|dit) (land|region|område)
(není|nedostupn)~ve vaší (zemi|oblasti)
ei ~(maassasi|alueellasi)
nem ~országában
nu ~în (țara|regiunea)
(지역|국가)에서~(없|않)
غير~في (بلدك|منطقتك)
`,
	ofKind('browser')`
(need|have|requires?|must|needs) (to )?(enable|have|turn on|use)? ?(javascript|js)~(to (run|use|view|continue|see)|enabled|$)
javascript (is|must be|has been) (disabled|required|enabled|needed)
enable javascript (to|in order to) (run|use|view|see)
requires javascript
(your|this) browser (is|isn't|is not|version is) (no longer |not )?(supported|outdated|out of date|too old|unsupported)~
(update|upgrade) your browser (to|or|in order)
=javascript is (required|disabled)
`,
];

/** What keeps Maxun from reading a page. */
export type RefusalKind = (typeof PHRASES)[number][0] | 'failed';

/** Other words on these pages, or their beginnings if they end with `-`. Shorter words don't count. */
export const USUAL_WORDS = `
aanmaken abaixo abbiamo abonn- about acced- acces- account- accueil accès accéder acept- acess- action- activ- added additional- address-
adgang- administra- adres- advised affiliates again against agent agree- aktiv- aktualisier- algo algum- algun- alla alle allow- already
also amazon amount andere anfrage- angebot- angef- angegeben- anmeldeinformationen another anti anubis anything anzuzeigen apache apologi-
appear apple application- apply apprendre após aradığınız arbeiten archiv- artic- artikel- assist- associated assurer attack- attempt-
atten- atualiz- aufgerufen- authenticat- authori- autom- autori- available avant avec avez ayuda aşağıda- back bald banned bağlant-
bearbeit- because been befind- before begin behind being believe below bent benutzer- berechtig- bereits beschikbaar best besuch- between
beveilig- bevor bezoek- bezpieczeńst- bien birth bitte bitten bloc- blog blok- bloqu- bots bottom botão botón bouton briefly broken brows-
bulun- busca- button bypass- błąd błęd- cache- call cambi- came can't cannot capacity captcha- care categor- cause- caut- center
certificate- cette challenge- chang- character- check- chose chyb- clear- click- client- clos- cloudf- code command community como compan-
compl- comportement compro- compte computer- condition- conex- confi- conne- consent consult- conta- conte- contin- contraseña control-
cookie- corre- could- country cours crash- creat- credential- criar créer cuando cuenta current- custom- dados daha dans dass data database
datadome date datenschutz- dauern debian debug- default deine- delay della demand- dene- denied deny deployment derzeit descri- detail-
detect- dette deve developer- device- deze değil dich didn't dienst- diese- different difficulties digit- dimenticato direc- disabl-
disclos- disculp- display- dispo- ditt- docs document- does- doing doit domain- don't door dostęp- down downtime dočasně doğru- durch during
działa- dzięki débogage déplac- désactiv- désol- effectu- efter- eine einem einen einer einge- einige- einloggen einstellungen electrónico
elle eller else email- empty enabl- encontra- encounter- encrypt- enfoncé enforce- engel- ensur- enter- entfernt equipo eres erfahre
erfahrung erfolg- erhalt- eriş- erlaub- erneut erreich- erreur- error- esper- esqueceu essenziell- essere esta establish- este esto está
estás esté etmek ettiğiniz every- example exceed- exception- exist- expect- experienc- explanation exten- facebook fail- faire fallback
fals- fatal feedback fehler- fehlgeschlagen feil- festgestellt fetch- fichier file- filter- find finde- finne- firewall- first flagged
folgend- follow- forbidden forbud- forespørs- form forms forsid- forsø- fortfahr- fortzufahren found fout- free from front full
further gaan gateway geblo- gebruik- gedrückt geduld geen gefunden genera- gerade gerek- gesch- gesendet getting gevonden github glemt glömt
going google granted gründe guide główn- haben halten happen- hasła hasło hata- have- having haya hcaptcha header- health- heeft helaas
helfen help- hemos here heroku hiba- hier hilft hitta- hizmet- hold home- hoppla host- hour- however html http- humain- human- ideas ident-
ihnen ihre ikke image- immediately imperva impressum inaccessible incapsula inciden- includ- inconvenience incorre- indispon- inesperad-
inform- ingen inhalt- inici- initial inneh- input instant- instead instruction- inte intent- inter- into introuvable inténtal- invalid
início isn't isso issue- iste- it'll itself izniniz içeri- için işaretle- javascript jederzeit jest jetzt jeśli jobs join jour- just kann
keep kein kennwort know- konnte- kontakt- konto kontrol- kontynu- kullan- kunne kutu können laden large last later latest learn legal leider
lenk- letting like limit- line link- list litespeed livraison load- local locat- logging login logs long look- lost länk- légales lösenord
lösung lütfen machine- magasins mainten- mais make making malformed malicious manage manten- mantén manuten- many masz match- maybe meer
mehr mensaje mensch- mentions merci message method- mevcut- might mindestens minut- misdirected miss- mistak- mistyp- mogelijk- moment- more
most motivi motivos może- much mulig- muss must möglich- möjlig- müssen naar nach nalez- name- navegador- navig- nebo neces- need- neexist-
negado negato nenalez- není neste netlify network- netzwerk- never news next nginx nicht nieprawidłow- niet noch nodig nombre nosotros noss-
note nothing notre nous novamente- nuestr- number nutze- nutzung object- obsah- obsol- occur- ocorreu- oder odkaz- often ohne olduğ-
olma- oluş- olvidaste once onder- online only onto onverwachte onze oops- open opnieuw oppure order- ordinateur origin- other otherwise
oublié oups outdated outside over overload- ověř- owner- page- pagin- pamiętasz para paramet- pardon pare parece part partner party pass-
path patient- país pedido- perform- permi- persist- person- peut phone phrase place- please plugin- plus podan- pode- pokud policy poniższ-
port posible possib- possível- posta potrebb- potvr- pour pouv- power- pozdě- połączeni- požad- prac- precis- press- prestazioni prevent-
previous- prima princip- privacy privileges probl- proce- produ- prohibi- proibido property prosimy proszę prosím prote- protocol protég-
prov- proxy przed przegląda- przez prévenue prøv- prüf- publi- puede- pulsa- puzzle página- później přístup- quelque- quer- quest- quick-
quitado rapid rate reach- read- real- reason- receiv- recent- recherch- recogni- record recurso- rede redirect- refer- refresh- refus-
regain- region- regist- regulation regístrate reject- reload- remote- remov- rencontr- renommée report- represent- request- requi- requête-
reserve- reset- resolv- resource- respon- ressource- restart- restrict- result- retour- retr- return- reveni- review- revis- richiest-
right- rilevato riprova- ritieni robot- robô- rule- running runtime réessay- référence- répertoire réseau safe satisf- save sayfa- scan
scheduled schreib- schutz- scraping screen script- search- second- secur- seeing seem- seguente segundos segur- sehr sein seite- seja
sekund- select- sell semble senare send- senere senha sent sentimos serv- serwer- serwis- sesión session- setting- several share shop short-
should show- sich sicher- sicurezza sieci- sign sind sistem- site- sitio- sito size skrev- slide slow- socios software solicit- solucion-
solution solv- some- sonra soon sorry source spam specif- speed spell- sprawd- start- stat- step- still stop- store- stron- submit-
subscriber success- such suche- suggest- sunucu- super suporte supplied support- supprim- sure survenu- suscr- suspe- suspicio- system-
sécuri- take- tapé tarafından tarayıcı- tard- taste team techni- technolog- tegen tekrar- tempo- tent- term- terug than thank- that- their
them then there- these they're thing- think- third this those through ticket tiempo- tien- tilgang- tilgjeng- till tilla- tillgänglig-
tillåt- tilt- time- tjenes- tjänst- toegang toestemming token tool- torn- traffic- tried trigger- trouble- trouv- trova- true trying turn-
twoj- tymczasow- type- ubuntu unable unauthori- unavailable under understand unexpect- unfortunately unknown unos unser- until unusual
unuttum update- uprawnie- username using usted usua- usług- utente utili- uvente- używa- uživatel- valid- value vara varnish venligst
vennligst verbesser- verbind- verboten verfüg- vergessen vergeten verif- verk- vers versch- version verst- versuch- verwe- verzeichnis
veuillez vielen vielleicht vietato view- violat- visit- vitesse você voor vorhanden vorübergehend- votre vous vraag vänlig- være vérif-
wacht- wait- want- warum wasn't we'- webb- webmaster webseite- websi- wegen weiter- welcome wenden wenn went werden were- what when where
which while whitel- whoa whoops wieder- will wird wirklich with without word worden wordfence wordpress wordt work- wpisa- wrong wróć-
wurde- wydajność wyszukiwa- während yanlış yapın- yeniden you'- your zabezp- zabloko- zabronion- zarejestruj zauważ- zeit- zich zijn
zkontrol- zkus- znale- zoek- zpět- zugriff- zurück- zustimm- åtkomst- équipe- êtes être údržb- úvod- überprüf- şifre şifremi żądan- адрес-
безопасност- браузер- верн- возможн- временн- выполн- главн- данн- доступ- другой- если жаль забыли запрашива- запрещ- запрос- имеет
инцидент каталог- количеств- котор- логин минут- могло может найден- найти например неверн- недоступ- обнаруж- отключ- очень ошибк- пароль
перей- повтор- подключ- пожалуйста позже почему превышен- провер- продолж- произошл- регистрация ресурс- робот- сервер- сервис- сети ссылк-
страниц- такой- техническ- удал- устарел- человек- عذراً يرجى
`;

/** The same for languages that don't separate words. Long parts come first. */
export const USUAL_PARTS = `
الإلكتروني いただけません メールアドレス 見つかりません البريد المرور ございません されています メンテナンス ありません お忘れの方 できません パスワード リクエスト 일시적으로 كلمة
あります お知らせ ください しばらく ただいま アクセス ブラウザ 新規登録 되었거나 바랍니다 브라우저 비밀번호 없습니다 요청하신 회원가입 おかけ お待ち お探し お試し ことを ご利用 ご迷惑 された てから
なって ません エラー トップ ページ ホーム 不可用 不给力 伺服器 可能性 後ほど 手机号 找不到 服务器 未找到 浏览器 申し訳 経って 사용할 서비스 아이디 입니다 페이지 홈으로 いる おり から この した
して する ため です ない ます 停止 内容 内部 再度 再试 出错 利用 制限 刷新 可能 威胁 存在 安全 完成 密码 必要 忘记 戻る 抱歉 拒绝 提供 无法 是否 暂时 服务 查看 检查 権限 没有 注册 現在
発生 確認 禁止 移動 稍后 続行 继续 维护 网站 网络 表示 被拒 訪問 許可 访问 输入 过于 过期 返回 造成 重试 錯誤 链接 错误 阻断 集中 需要 頁面 页面 频繁 首页 驗證 验证 登录 登入 거부 권한 다시 발생
서버 시기 시도 없음 오류 으로 입력 작업 잘못 잠시 접근 접속 찾을 하여 확인 か が た で と に の は へ も れ を 下 中 了 于 以 使 到 后 和 在 对 已 很 後 您 或 所 方 是 有 此
求 由 的 被 要 請 该 请 这 가 는 됨 로 를 수 에 을 이 전 해
`;
