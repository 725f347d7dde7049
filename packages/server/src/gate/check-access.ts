import { isHtml, type Answer, type Ask } from "./ask.ts";
import type { Found } from "./types.ts";

const ADMIN = /(?:^|\/)(?:admin|administrator|backoffice|internal|superuser)(?:\/|$)/i;
/** Nobody's page is called like this. */
const NOWHERE = "/no-such-page-is-here-4d1f";
/** What only an attacker's page says of itself. */
const HOSTILE = "https://somewhere-else.example";
/** Fields that nobody else may read. */
const PRIVATE =
  /^(?:pass(?:word|wd)?(?:_?hash)?|hashed_?password|secret|api_?key|access_?token|refresh_?token|reset_?token|ssn|card_?number|iban)$/i;
const EMAIL_FIELD = /e-?mail/i;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const SIGN_IN = /type=["']?password|\b(?:sign|log)[ -]?in\b/i;

/** What somebody may read whom the app does not know. `routes` as its sources say them. */
export async function checkAccess(ask: Ask, routes: readonly string[]): Promise<Found[]> {
  const nowhere = await ask(NOWHERE);
  const found: Found[] = [];
  for (const route of routes) {
    const answer = await ask(route, { origin: HOSTILE });
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
  }
  const first = await ask("/", { origin: HOSTILE });
  if (first) found.push(...sharedWith("/", first));
  return found;
}

function openTo(route: string, answer: Answer, nowhere: Answer | undefined): Found[] {
  // An app of one page answers everything with that page.
  if (answer.status !== 200 || answer.text === nowhere?.text) return [];
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
  const field = privateField(data);
  if (field !== undefined) return tell(`Anybody can read “${field}” without signing in.`);
  if (hasPeople(data, route))
    return tell("Anybody can read people's e-mail addresses without signing in.");
  if (!ADMIN.test(route)) return [];
  if (data !== undefined) return tell("What is called admin answers without a sign-in.");
  // Browsers take for a page what looks like one.
  const isPage = isHtml(answer) || /^\s*</.test(answer.text);
  return isPage && !SIGN_IN.test(answer.text)
    ? tell("A page called admin opens without a sign-in.")
    : [];
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
      if (PRIVATE.test(name) && typeof value === "string" && value !== "") return name.slice(0, 40);
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
