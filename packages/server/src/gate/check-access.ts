import { SQLITE_BEGINNING } from "@treadle/protocol/project-path";
import { isHtml, type Answer, type Ask } from "./ask.ts";
import { worthAsking } from "./find-routes.ts";
import { findSecrets } from "./find-secrets.ts";
import type { Found, GateFile, NamedValue } from "./types.ts";

/** Characters of a page in which people are looked for. */
const MOST_READ = 500_000;

export const ADMIN =
  /(?:^|\/)(?:(?:\w{1,20}[-_]|_)?admin(?:istrat(?:or|ion))?(?:[-_]?(?:panel|area|page|dashboard|console|ui|users|tools))?|back-?office|internal|superuser)(?:\.\w{1,5})?(?:\/|$)/i;
/** Nobody's page is called like this. */
export const NOWHERE = "/no-such-page-is-here-4d1f";
/** What only an attacker's page says of itself. */
const HERE = "http://here.invalid";
const HOSTILE = "https://somewhere-else.example";
/** Fields that nobody else may read. */
const PRIVATE = new RegExp(
  `^(?:${[
    "(?:(?:hashed|encrypted|plain)_?)?pass(?:word|wd|phrase)?(?:_?(?:hash|digest|salt))?",
    "(?:(?:client|totp|otp|mfa|webhook)_?)?secret(?:_?key)?",
    "(?:api|private)_?key",
    "(?:access|refresh|reset|session|auth)_?token",
    "ssn|card_?number|cvv|iban",
  ].join("|")})$`,
  "i",
);
/** What a provider gives out to be public, and may be told to pages under the name of a key. */
const PUBLIC_VALUE = /^(?:pk_(?:live|test)_|sb_publishable_|AIza)/;
/** Beside which a key is one for pages, as Firebase and Algolia give them out. */
const FOR_PAGES = /^(?:authDomain|projectId|appId|applicationId|indexName|siteKey)$/i;
const IS_KEY = /^api_?key$/i;
const EMAIL_FIELD = /e-?mail/i;
/** What is called like this is about people who are customers, and no team that is to be written to. */
const OF_PEOPLE =
  /(?:^|\/)(?:users|customers|clients|patients|students|employees|guests|subscribers|applicants|attendees|leads|accounts|orders|bookings|reservations|appointments|registrations|sign-?ups|waitlist|invoices|payments)(?:\/(?:1|all|list|export|search|recent))?(?:\.\w{1,5})?$/i;
/** Fields that such a list has of a person, and that no stranger is told. */
const PERSONAL =
  /^(?:phone|mobile|tele?phone|tel|phone_?number|(?:(?:home|shipping|billing|delivery|street|postal)_?)?address|street|birth_?(?:day|date)|date_?of_?birth|dob|salary|diagnosis|medications?|passport(?:_?(?:no|number))?|national_?id|tax_?id)$/i;
/** Those who are called like this are told so that they are written to, as are addresses that no single person has. */
const TO_BE_WRITTEN_TO =
  /(?:^|\/)(?:team|about|contact|imprint|impressum|support|stores?|shops?|branches|offices|locations|venues|speakers|authors|organi[sz]ers|sponsors|departments)(?:\/(?:1|all|list|members))?$/i;
const OF_NOBODY =
  /^(?:info|hello|hallo|hi|contact|kontakt|mail|office|support|help|sales|press|team|jobs|careers?|shop|orders?|bookings?|events?|service|webmaster|no-?reply)@/i;
/** The field of something that somebody announces: `[{ title, contactEmail }]`. */
const ANNOUNCED =
  /^(?:contact|organi[sz]er|host|venue|company|business|public|support|recruiter|hr|press|sales|booking|office|seller|agent|speaker|author|apply)_?e?-?mail$/i;
/** Fields that may hold an address without being called so. */
const OF_SOMEBODY =
  /^(?:user(?:_?name)?|login|account|owner|from|to|sender|recipient|created_?by|customer|subscriber|member|attendee|participant)$/i;
const EMAILS = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{2,63}){1,4}/g;
/** What is taken along as a file to be opened elsewhere. */
const TABLE =
  /^(?:text\/(?:csv|tab-separated-values|vcard)|application\/(?:csv|x-ndjson|jsonl))\b/i;
const TEXT = /^(?:text\/(?:html|plain|xml)|application\/xml)\b/i;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
export const SIGN_IN =
  /type\s{0,3}[=:]\s{0,3}["'`]?password|\b(?:sign|log)[ -]?in\b|\banmelden\b|\beinloggen\b|connexion|se connecter|iniciar sesi|\baccedi\b|\binloggen\b|войти|ログイン|登录/i;
const REFUSED =
  /\b(?:denied|forbidden|(?:un|not )authori[sz]ed|not allowed|no access|permissions?|privileges|(?:need|have) to be|must be|restricted|reserved for|(?:only for|only) (?:admin|moderator|staff|member)s?)\b/i;
/** What a script says that draws a page with a sign-in. */
const DRAWS_SIGN_IN = /log-?in|sign-?in|password|\b401\b/i;
/** What stands in a layout, on all pages. */
const IN_LAYOUT = /<(a|button)\b[^<>]{0,500}>[^]{0,500}?<\/\1>/gi;
/** Visible characters of a page that a script draws, at most. */
const EMPTY = 40;
const MOST_SCRIPTS = 5;
/** What only a server has, and does not mean to hand out. */
const SERVER =
  /\bcreateServer\(|\.listen\(|\bprocess\.env\b|\bFlask\(|\bFastAPI\(|\bHTTPServer\(|\bDJANGO_SETTINGS_MODULE\b/;
const CODE = /\.(?:[cm]?[jt]s|py)$/;
const DATABASE =
  /["'`](?:\.{1,2}\/)?\/?((?:[\w-][\w.-]{0,60}\/){0,4}[\w-][\w.-]{0,60}\.(?:db|sqlite3?))["'`]/g;
/** Of its own files, and of addresses that are asked as a page without an origin would. */
const MOST_FILES = 4;
const MOST_DESCRIBED = 60;
const MOST_WITHOUT_ORIGIN = 12;
/** A page in a frame that is kept apart has this origin: it may be anybody's. */
const NO_ORIGIN = "null";

/**
 * What somebody may read whom the app does not know.
 * @param app.routes as its sources say them
 * @param app.guessed those that it may have besides, which are asked while there is time
 * @param app.sources of which no server means to hand out its own
 */
export async function checkAccess(
  ask: Ask,
  {
    routes,
    guessed,
    isInTime,
    own,
    sources,
  }: {
    routes: readonly string[];
    guessed: readonly string[];
    isInTime: () => boolean;
    own: readonly NamedValue[];
    sources: readonly GateFile[];
  },
): Promise<Found[]> {
  const nowhere = await ask(NOWHERE);
  const home = await ask("/", { origin: HOSTILE });
  const found = await handedOut(ask, sources);
  const answered: GateFile[] = [];
  let left = MOST_WITHOUT_ORIGIN;
  /** What is answered where a guess is as good as another one. */
  const known = new Map<string, Answer | undefined>();
  const besides = async (route: string) => {
    const folder = route.replace(/\/[^/]*$/, "");
    if (!known.has(folder)) known.set(folder, await ask(folder + NOWHERE));
    return known.get(folder);
  };
  for (const route of routes) {
    const answer = await askFurther(ask, route);
    if (!answer) {
      found.push({
        check: "access",
        severity: "minor",
        title: "An address of the app gives no answer.",
        where: route,
        todo: "Have it answer, with an error where something is missing.",
      });
      continue;
    }
    found.push(
      ...(await openTo(ask, route, { answer, nowhere, home })),
      ...sharedWith(route, answer, HOSTILE),
    );
    if (answer.status === 200) answered.push({ path: route, text: answer.text });
    if (isHtml(answer) || answer.status === 404 || left-- <= 0) continue;
    const framed = await ask(route, { origin: NO_ORIGIN });
    if (framed) found.push(...sharedWith(route, framed, NO_ORIGIN));
  }
  for (const route of [...(await describedRoutes(ask, sources)), ...guessed]) {
    if (!isInTime()) break;
    if (routes.includes(route)) continue;
    const answer = await askFurther(ask, route);
    // To go on would only keep others waiting: it answers slowly, or has had enough of being asked.
    if (!answer || answer.status === 429) break;
    if (answer.status !== 200) continue;
    const beside = await besides(route);
    const told = await openTo(ask, route, { answer, nowhere: beside, home });
    if (told.length === 0 || isSame(answer, nowhere)) continue;
    found.push(...told);
    answered.push({ path: route, text: answer.text });
  }
  found.push(...(await findSecrets(answered, "output", own)));
  if (home) found.push(...sharedWith("/", home, HOSTILE));
  return found;
}

/** Where an app describes itself, as FastAPI's do unless they are told not to. */
const DESCRIBED = /\bFastAPI\(|openapi|swagger/i;
const DESCRIPTIONS = ["/openapi.json", "/api/openapi.json", "/swagger.json", "/docs/json"];

async function describedRoutes(ask: Ask, sources: readonly GateFile[]): Promise<string[]> {
  if (!sources.some(({ path, text }) => CODE.test(path) && DESCRIBED.test(text))) return [];
  for (const path of DESCRIPTIONS) {
    const answer = await ask(path);
    const described = answer?.status === 200 ? jsonOf(answer) : undefined;
    const paths = (described as { paths?: Record<string, unknown> } | undefined)?.paths;
    if (typeof paths !== "object" || paths === null) continue;
    return Object.entries(paths)
      .flatMap(([said, methods]) =>
        typeof methods === "object" && methods !== null && "get" in methods
          ? (worthAsking(said) ?? [])
          : [],
      )
      .slice(0, MOST_DESCRIBED);
  }
  return [];
}

/** Files of its own, by those that nobody has in a folder for everybody; and its database, where its sources say it is. */
async function handedOut(ask: Ask, sources: readonly GateFile[]): Promise<Found[]> {
  const isOwn = ({ path, text }: GateFile) =>
    path === "package.json" || (CODE.test(path) && SERVER.test(text));
  const own = sources.filter(isOwn).toSorted((a, b) => a.path.length - b.path.length);
  for (const { path, text } of own.slice(0, MOST_FILES))
    if ((await ask(encodeURI(`/${path}`)))?.text.trim() === text.trim())
      return [
        {
          check: "access",
          severity: "serious",
          title: "Anybody can download the app's own files.",
          where: `/${path}`,
          todo: "Serve a folder that holds only what is meant for everybody, such as public: beside it stand the app's sources and its database.",
        },
      ];
  const databases = sources.flatMap(({ text }) =>
    [...text.matchAll(DATABASE)].flatMap(([, path = ""]) => [path, path.replace(/^.*\//, "")]),
  );
  for (const path of [...new Set(databases)].slice(0, MOST_FILES))
    if ((await ask(`/${path}`))?.text.startsWith(SQLITE_BEGINNING))
      return [openDatabase(`/${path}`)];
  return [];
}

/** A file of rows that is called like a list of people, or like all that there is. Pages are tried with users who are made up. */
const ROWS =
  /(?:^|[/_-])(?:(?:customers|clients|patients|employees|subscribers|orders|bookings|leads|registrations|applicants|attendees|waitlist|invoices|payments|backup|dump)[\w-]{0,40}\.(?:csv|tsv|sql|vcf|ndjson|json)|(?:users|members|contacts|guests|export)[\w-]{0,40}\.(?:csv|tsv|sql|vcf|ndjson))$/i;
const TRIED = /(?:^|\/)(?:tests?|__tests__|e2e|fixtures|mocks?|seeds?|migrations|docs)\//;

/** People in files that a project has and that are answered with as they are: `public/customers.csv`. */
export async function handedOutRows(ask: Ask, sources: readonly GateFile[]): Promise<Found[]> {
  const found: Found[] = [];
  const files = sources.filter(({ path, text }) => ROWS.test(path) && !TRIED.test(path) && hasSeveral(text)); // prettier-ignore
  for (const { path, text } of files.slice(0, MOST_FILES))
    for (const address of new Set([`/${path}`, `/${path.replace(/^[^/]*\//, "")}`])) {
      if ((await ask(encodeURI(address)))?.text.trim() !== text.trim()) continue;
      found.push(open(address, PEOPLE));
      break;
    }
  return found;
}

const PEOPLE = "Anybody can read people's e-mail addresses without signing in.";

const open = (route: string, title: string): Found => ({
  check: "access",
  severity: "serious",
  title,
  where: route,
  todo: "Answer it only to somebody who is signed in and may see it, with 401 or 403 to all others, and leave out what nobody needs.",
});

const openDatabase = (route: string) => open(route, "Anybody can download the app's database.");

/** Many servers have a page at `/admin/` and lead there from `/admin`. To be led anywhere else is no answer. */
async function askFurther(ask: Ask, route: string): Promise<Answer | undefined> {
  const answer = await ask(route, { origin: HOSTILE });
  const leads = answer && answer.status >= 300 && answer.status < 400 && answer.headers.location;
  if (!leads || !URL.canParse(leads, HERE)) return answer;
  const { host, pathname } = new URL(leads, HERE);
  // Some lead to where they take themselves to be.
  const isHere = /^(?:here\.invalid|localhost(?::\d+)?)$/.test(host);
  return isHere && pathname === `${route}/` ? ask(pathname, { origin: HOSTILE }) : answer;
}

async function openTo(
  ask: Ask,
  route: string,
  {
    answer,
    nowhere,
    home,
  }: { answer: Answer; nowhere: Answer | undefined; home: Answer | undefined },
): Promise<Found[]> {
  // An app of one page answers everything with that page.
  if (answer.status !== 200 || isSame(answer, nowhere, route)) return [];
  const data = jsonOf(answer);
  const tell = (title: string): Found[] => [open(route, title)];
  if (answer.text.startsWith(SQLITE_BEGINNING)) return [openDatabase(route)];
  const field = privateField(data);
  if (field !== undefined) {
    const again = await ask(route);
    // What is given anew each time is nobody's yet.
    if (!again || !isGivenAnew(field, privateField(jsonOf(again))))
      return tell(`Anybody can read “${field.name}” without signing in.`);
  }
  if (hasPeople(data, route) || listsPeople(answer, route)) return tell(PEOPLE);
  const personal = OF_PEOPLE.test(route) ? personalField(data) : undefined;
  if (personal !== undefined) return tell(`Anybody can read “${personal}” without signing in.`);
  if (!ADMIN.test(route)) return [];
  if (data !== undefined)
    return saysAnything(data) ? tell("What is called admin answers without a sign-in.") : [];
  // Browsers take for a page what looks like one.
  const isPage = isHtml(answer) || /^\s*</.test(answer.text);
  return isPage && !isSame(answer, home) && !(await asksForSignIn(ask, route, answer, home))
    ? tell("A page called admin opens without a sign-in.")
    : [];
}

/** By what it says itself, beside what all pages do; or where it says nothing, by the scripts that draw it. */
async function asksForSignIn(
  ask: Ask,
  route: string,
  { text }: Answer,
  home: Answer | undefined,
): Promise<boolean> {
  const page = text.slice(0, MOST_READ);
  const own = page.replace(IN_LAYOUT, (all) => (home?.text.includes(all) ? "" : all));
  if (SIGN_IN.test(own) || REFUSED.test(own)) return true;
  const visible = page
    .replace(/<(head|script|style|noscript)\b[^<>]{0,1000}>[^]*?(?:<\/\1>|$)/gi, "")
    .replace(/<[^<>]{0,1000}>/g, "");
  if (visible.trim().length > EMPTY) return false;
  const scripts = [...page.matchAll(/<script\b[^<>]{0,500}?\ssrc=["']?([^"'\s<>]{1,500})/gi)];
  for (const [, source = ""] of scripts.slice(0, MOST_SCRIPTS)) {
    const { origin, pathname } = new URL(source, HERE + route);
    if (origin === HERE && DRAWS_SIGN_IN.test((await ask(pathname))?.text ?? "")) return true;
  }
  return false;
}

/** Whether it is more than that nobody is signed in: `{ "user": null }`, `{ "error": … }`. */
function saysAnything(data: unknown, depth = 0): boolean {
  if (typeof data !== "object" || data === null || Array.isArray(data) || depth > DEEP)
    return data !== null && data !== false && data !== "";
  return Object.entries(data).some(
    ([name, value]) =>
      !/^(?:error|message|detail|reason|code|status(?:_?code)?|title|type|ok|success|csrf\w{0,20})$/i.test(
        name,
      ) && // prettier-ignore
      saysAnything(value, depth + 1),
  );
}

/**
 * Whether it is what all addresses are answered with: but for what is made anew each time, such as a policy's nonce, and for
 * what they were asked for.
 */
const isSame = (answer: Answer, nowhere: Answer | undefined, route = "") =>
  nowhere !== undefined &&
  (withoutRandom(answer.text) === withoutRandom(nowhere.text) ||
    (route !== "" &&
      withoutName(withoutRandom(answer.text), route) ===
        withoutName(withoutRandom(nowhere.text), NOWHERE)));

const withoutName = (text: string, route: string): string => {
  const name = route.replace(/^.*\//, "").toLowerCase();
  return name === "" ? text : text.toLowerCase().replaceAll(name, "");
};

const withoutRandom = (text: string) =>
  text.replace(/\b(nonce|content|value)=(["'])[\w+/=.-]{8,200}\2/gi, "$1=");

/** A page with the addresses of several people, which is called like a list of them; or a file of rows with such. */
function listsPeople(answer: Answer, route: string): boolean {
  const type = answer.headers["content-type"] ?? "";
  const isList = OF_PEOPLE.test(route) || /(?:^|\/)export(?:\.\w{1,5})?$/i.test(route);
  if (!TABLE.test(type) && !(TEXT.test(type) && isList)) return false;
  return hasSeveral(answer.text);
}

/** Addresses of several people. */
function hasSeveral(text: string): boolean {
  const emails = [...text.slice(0, MOST_READ).matchAll(EMAILS)].map(([email]) => email);
  return new Set(emails.filter((one) => !OF_NOBODY.test(one)).map((one) => one.toLowerCase())).size > 1; // prettier-ignore
}

function jsonOf({ headers, text }: Answer): unknown {
  if (!/\bjson\b/i.test(headers["content-type"] ?? "") && !/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Objects at most so many levels down, the first hundred of each list. */
const DEEP = 6;
const LONG = 100;

function objectsIn(data: unknown, depth = 0): Record<string, unknown>[] {
  if (typeof data !== "object" || data === null || depth > DEEP) return [];
  const values = Object.values(data).slice(0, LONG);
  const inside = values.flatMap((one) => objectsIn(one, depth + 1));
  if (Array.isArray(data)) return inside;
  return [data as Record<string, unknown>, ...inside];
}

interface Field {
  name: string;
  value: string;
}

const isGivenAnew = (first: Field, second: Field | undefined) =>
  second?.name === first.name && second.value !== first.value;

function privateField(data: unknown): Field | undefined {
  for (const one of objectsIn(data))
    for (const [name, value] of Object.entries(one))
      if (
        PRIVATE.test(name) &&
        !(IS_KEY.test(name) && Object.keys(one).some((beside) => FOR_PAGES.test(beside))) &&
        typeof value === "string" &&
        value !== "" &&
        !PUBLIC_VALUE.test(value)
      )
        return { name: name.slice(0, 40), value };
  return undefined;
}

const personalField = (data: unknown): string | undefined =>
  objectsIn(data)
    .flatMap((one) => Object.entries(one))
    .find(([name, value]) => PERSONAL.test(name) && tells(name, value))?.[0];

/** An address may be one of a purse or of a page, and a telephone that of an emergency. */
function tells(name: string, value: unknown): boolean {
  if (/address|street/i.test(name)) return typeof value === "string" && /\d/.test(value) && /\s/.test(value); // prettier-ignore
  if (/phone|mobile|^tel$/i.test(name)) return /(?:\d\D{0,3}){7}/.test(String(value));
  return value !== null && value !== undefined && value !== "" && value !== false;
}

/** Rows with e-mail addresses, or one row of many (`/users/1`): an address alone may be how somebody is written to. */
function hasPeople(data: unknown, route: string): boolean {
  if (TO_BE_WRITTEN_TO.test(route)) return false;
  const rows = /\/1(?:\/|$)/.test(route) ? objectsIn(data) : rowsIn(data);
  const ofPeople = OF_PEOPLE.test(route);
  return (
    new Set(bareEmails(data)).size > 1 ||
    rows.some((one) =>
      Object.entries(one).some(
        ([name, value]) =>
          (OF_SOMEBODY.test(name) ||
            (EMAIL_FIELD.test(name) && (ofPeople || !ANNOUNCED.test(name)))) && // prettier-ignore
          isEmailOfSomebody(value),
      ),
    )
  );
}

const isEmailOfSomebody = (value: unknown): value is string =>
  typeof value === "string" && EMAIL.test(value) && !OF_NOBODY.test(value);

/** A list of nothing else: `["ada@lovelace.org", …]`. */
function bareEmails(data: unknown, depth = 0): string[] {
  if (typeof data !== "object" || data === null || depth > DEEP) return [];
  const values: unknown[] = Object.values(data).slice(0, LONG);
  const own = Array.isArray(data) ? values.filter(isEmailOfSomebody) : [];
  return [...own, ...values.flatMap((one) => bareEmails(one, depth + 1))];
}

/** Those objects that stand in a list, or each under its own id, with what is inside them. */
function rowsIn(data: unknown, depth = 0): Record<string, unknown>[] {
  if (Array.isArray(data)) return objectsIn(data);
  if (typeof data !== "object" || data === null || depth > DEEP) return [];
  const values: unknown[] = Object.values(data).slice(0, LONG);
  if (values.length > 1 && new Set(values.map(shapeOf)).size === 1 && shapeOf(values[0]) !== "")
    return objectsIn(data);
  return values.flatMap((one) => rowsIn(one, depth + 1));
}

/** The names of an object's fields. */
const shapeOf = (value: unknown): string =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.keys(value).slice(0, LONG).join()
    : "";

function sharedWith(route: string, { headers }: Answer, origin: string): Found[] {
  if (
    headers["access-control-allow-origin"] !== origin ||
    headers["access-control-allow-credentials"] !== "true"
  )
    return [];
  return [
    {
      check: "access",
      severity: "serious",
      title: "Any other site may read it in the name of who is signed in.",
      where: route,
      todo: "Send Access-Control-Allow-Origin for origins that are listed, never for whichever asks, where credentials are allowed.",
    },
  ];
}
