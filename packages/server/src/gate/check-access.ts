import { SQLITE_BEGINNING } from "@treadle/protocol/project-path";
import { isHtml, type Answer, type Ask } from "./ask.ts";
import { findSecrets } from "./find-secrets.ts";
import type { Found, GateFile, NamedValue } from "./types.ts";

/** Characters of a page in which people are looked for. */
const MOST_READ = 500_000;

const ADMIN =
  /(?:^|\/)(?:(?:\w{1,20}[-_]|_)?admin(?:istrat(?:or|ion))?(?:[-_]?(?:panel|area|page|dashboard|console|ui|users|tools))?|back-?office|internal|superuser)(?:\.\w{1,5})?(?:\/|$)/i;
/** Nobody's page is called like this. */
const NOWHERE = "/no-such-page-is-here-4d1f";
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
const EMAIL_FIELD = /e-?mail/i;
/** Pages that are called like this are about people who are customers, and no team that is to be written to. */
const OF_PEOPLE =
  /(?:^|\/)(?:users|customers|clients|patients|students|subscribers|applicants|attendees|leads|accounts|orders|bookings|reservations|registrations|sign-?ups|waitlist|invoices|payments)$/i;
const EMAILS = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{2,63}){1,4}/g;
/** What is taken along as a file to be opened elsewhere. */
const TABLE =
  /^(?:text\/(?:csv|tab-separated-values|vcard)|application\/(?:csv|x-ndjson|jsonl))\b/i;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const SIGN_IN = /type=["']?password|\b(?:sign|log)[ -]?in\b/i;

/**
 * What somebody may read whom the app does not know.
 * @param app.routes as its sources say them
 * @param app.manifest its own package.json, which no server means to hand out
 */
export async function checkAccess(
  ask: Ask,
  {
    routes,
    own,
    manifest,
  }: { routes: readonly string[]; own: readonly NamedValue[]; manifest: string | undefined },
): Promise<Found[]> {
  const nowhere = await ask(NOWHERE);
  const found: Found[] = [];
  const answered: GateFile[] = [];
  if (manifest !== undefined && (await ask("/package.json"))?.text.trim() === manifest.trim())
    found.push({
      check: "access",
      severity: "serious",
      title: "Anybody can download the app's own files.",
      where: "/package.json",
      todo: "Serve a folder that holds only what is meant for everybody, such as public: beside it stand the app's sources and its database.",
    });
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
    found.push(...openTo(route, answer, nowhere), ...sharedWith(route, answer));
    if (answer.status === 200) answered.push({ path: route, text: answer.text });
  }
  found.push(...(await findSecrets(answered, "output", own)));
  const first = await ask("/", { origin: HOSTILE });
  if (first) found.push(...sharedWith("/", first));
  return found;
}

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

function openTo(route: string, answer: Answer, nowhere: Answer | undefined): Found[] {
  // An app of one page answers everything with that page.
  if (answer.status !== 200 || isSame(answer, nowhere)) return [];
  const data = jsonOf(answer);
  const tell = (title: string): Found[] => [
    {
      check: "access",
      severity: "serious",
      title,
      where: route,
      todo: "Answer it only to somebody who is signed in and may see it, with 401 or 403 to all others, and leave out what nobody needs.",
    },
  ];
  if (answer.text.startsWith(SQLITE_BEGINNING))
    return tell("Anybody can download the app's database.");
  const field = privateField(data);
  if (field !== undefined) return tell(`Anybody can read “${field}” without signing in.`);
  if (hasPeople(data, route) || listsPeople(answer, route))
    return tell("Anybody can read people's e-mail addresses without signing in.");
  if (!ADMIN.test(route)) return [];
  if (data !== undefined) return tell("What is called admin answers without a sign-in.");
  // Browsers take for a page what looks like one.
  const isPage = isHtml(answer) || /^\s*</.test(answer.text);
  return isPage && !SIGN_IN.test(answer.text)
    ? tell("A page called admin opens without a sign-in.")
    : [];
}

/** Whether it is what all addresses are answered with: but for what is made anew each time, such as a policy's nonce. */
const isSame = (answer: Answer, nowhere: Answer | undefined) =>
  nowhere !== undefined && withoutRandom(answer.text) === withoutRandom(nowhere.text);

const withoutRandom = (text: string) =>
  text.replace(/\b(nonce|content|value)=(["'])[\w+/=.-]{8,200}\2/gi, "$1=");

/** A page with the addresses of several people, which is called like a list of them; or a file of rows with such. */
function listsPeople(answer: Answer, route: string): boolean {
  const isTable = TABLE.test(answer.headers["content-type"] ?? "");
  if (!isTable && !(isHtml(answer) && OF_PEOPLE.test(route))) return false;
  const text = answer.text.slice(0, MOST_READ);
  return new Set([...text.matchAll(EMAILS)].map(([email]) => email.toLowerCase())).size > 1;
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

function privateField(data: unknown): string | undefined {
  for (const one of objectsIn(data))
    for (const [name, value] of Object.entries(one))
      if (
        PRIVATE.test(name) &&
        typeof value === "string" &&
        value !== "" &&
        !PUBLIC_VALUE.test(value)
      )
        return name.slice(0, 40);
  return undefined;
}

/** Rows with e-mail addresses, or one row of many (`/users/1`): an address alone may be how somebody is written to. */
function hasPeople(data: unknown, route: string): boolean {
  const rows = /\/1(?:\/|$)/.test(route) ? objectsIn(data) : rowsIn(data);
  return rows.some((one) =>
    Object.entries(one).some(
      ([name, value]) => EMAIL_FIELD.test(name) && typeof value === "string" && EMAIL.test(value),
    ),
  );
}

/** Those objects that stand in a list, with what is inside them. */
function rowsIn(data: unknown, depth = 0): Record<string, unknown>[] {
  if (Array.isArray(data)) return objectsIn(data);
  if (typeof data !== "object" || data === null || depth > DEEP) return [];
  return Object.values(data)
    .slice(0, LONG)
    .flatMap((one) => rowsIn(one, depth + 1));
}

function sharedWith(route: string, { headers }: Answer): Found[] {
  if (
    headers["access-control-allow-origin"] !== HOSTILE ||
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
