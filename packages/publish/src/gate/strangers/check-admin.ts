import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { finding } from "../finding.ts";
import { isHtml, type Answer, type Send } from "./ask.ts";
import { fillFields } from "./fill-fields.ts";
import type { Route } from "../routes/find-methods.ts";
import { ADMIN, jsonOf, NOWHERE, REFUSED, saysAnything, SIGN_IN } from "./let-in.ts";
import { makeAccount, type WaysIn } from "./make-account.ts";
import type { Body, Person } from "./person.ts";
import type { Found, GateFile } from "../types.ts";

const MOST = 12;
/** Sign-in and sign-out, which are open to anyone. */
export const WAY_IN =
  /log-?(?:in|out)|sign-?(?:in|out|up)|regist|session|auth(?:\/|$)|password|forgot|token|csrf/i;
/** Routes that return the current user, to anyone. */
const WHO_AM_I = /\/(?:me|whoami|check|status|verify|profile|current)$/i;
/**
 * Signs that an app has roles: if all users administer their own data, there are no administrators.
 */
const ROLES =
  /\brole\b[^\n]{0,60}\badmin|\badmin\b[^\n]{0,60}\brole|\bis_?(?:super_?)?admin(?:istrator)?\b|\b(?:require|only|ensure|check|must_be)_?admin|\badmin_?(?:only|required|guard)|\bis_(?:staff|superuser)\b/i;

/** Whether a route's address names administration, and not a way to sign in. */
const administers = ({ path }: Route) => ADMIN.test(path) && !WAY_IN.test(path);

/** The routes below such addresses that change something, up to a limit. */
export const adminWrites = (routes: readonly Route[]): Route[] =>
  routes.filter((route) => route.method !== "GET" && administers(route)).slice(0, MOST);

const addressOf = ({ path }: Route) => path.replaceAll(/:\w+/g, "1");

/**
 * Tries as an anonymous visitor what only administrators should be able to do. Run it on a copy
 * whose data is thrown away, since it may succeed.
 */
export async function checkAdmin(stranger: Person, routes: readonly Route[]): Promise<Found[]> {
  const done = await doneBy(stranger, adminWrites(routes));
  return done.map(({ method, path }) =>
    finding({
      check: "access",
      severity: "serious",
      title: sentence("gate-admin-done"),
      where: `${method} ${path}`,
      todo: sentence("gate-do-admin-done"),
    }),
  );
}

/**
 * Tries what only administrators should be able to do as a newly registered user, and as one who
 * claims to be an administrator when registering. Finds nothing if the sources have no roles.
 */
export async function checkMembers(
  send: Send,
  { stranger, other }: { stranger: Person; other: Person },
  { routes, ways, sources }: { routes: readonly Route[]; ways: WaysIn; sources: readonly GateFile[] }, // prettier-ignore
): Promise<Found[]> {
  if (!sources.some(({ text }) => ROLES.test(text))) return [];
  const found: Found[] = [];
  const notify = (title: string | Sentence, where: string) =>
    found.push(finding({ check: "access", severity: "serious", title, where, todo: TODO }));
  const reads = routes
    .filter((route) => route.method === "GET" && administers(route) && !WHO_AM_I.test(route.path))
    .slice(0, MOST);
  const shut: Route[] = [];
  for (const route of reads) {
    const address = addressOf(route);
    // An address that anyone may read is reported by another check.
    if (await mayRead(stranger, address)) continue;
    if (await mayRead(other, address)) notify(OPEN_TO_MEMBERS, `GET ${route.path}`);
    else shut.push(route);
  }
  const bold = shut.length > 0 && (await makeAccount(send, ways, "192.0.2.4", BOLD));
  if (bold)
    for (const route of shut)
      if (await mayRead(bold, addressOf(route))) {
        notify(sentence("gate-bold"), `${ways.signUp[0]?.method} ${ways.signUp[0]?.path}`); // prettier-ignore
        break;
      }
  for (const { method, path } of await doneBy(other, adminWrites(routes), stranger))
    notify(OPEN_TO_MEMBERS, `${method} ${path}`);
  return found;
}

const BOLD = { role: "admin", isAdmin: true, is_admin: true, admin: true };
const OPEN_TO_MEMBERS = sentence("gate-members-admin");
const TODO = sentence("gate-do-role");

async function mayRead(person: Person, address: string): Promise<boolean> {
  const answer = await person.get(address);
  if (answer?.status !== 200) return false;
  const data = jsonOf(answer);
  if (data !== undefined) return saysAnything(data);
  if (!isHtml(answer) || SIGN_IN.test(answer.text) || REFUSED.test(answer.text)) return false;
  // A single-page app answers every address with its page and checks permissions later.
  const others = [await person.get("/"), await person.get(`/admin${NOWHERE}`)];
  return others.every((one) => one?.text !== answer.text);
}

/**
 * The requests that succeed for a person; none if the app accepts requests to unknown addresses.
 * @param not if given, requests that also succeed for this person are left out
 */
async function doneBy(
  person: Person,
  writes: readonly Route[],
  not?: Person,
): Promise<readonly Route[]> {
  // Some apps answer every request alike, so that a success proves nothing.
  if (writes.length === 0 || isDone(await person.send("POST", `/admin${NOWHERE}`, as("json", {}))))
    return [];
  const found: Route[] = [];
  for (const route of writes) {
    const { method, fields } = route;
    const filled = fillFields(fields, "gate");
    const address = addressOf(route);
    // The answer to a plain GET is a page; the same answer means that nothing was done.
    const page = await person.get(address);
    for (const kind of ["json", "form"] as const) {
      const answer = await person.send(method, address, as(kind, filled));
      const isPage = answer?.status === page?.status && answer?.text === page?.text;
      if (!isDone(answer) || isPage) continue;
      if (!not || !isDone(await not.send(method, address, as(kind, filled)))) found.push(route);
      break;
    }
  }
  return found;
}

const as = (kind: Body["as"], fields: Body["fields"]): Body => ({ as: kind, fields });

/** Whether the request was carried out; false if that is uncertain. */
export function isDone(answer: Answer | undefined): boolean {
  if (!answer) return false;
  const { status, text, headers } = answer;
  if (status >= 300 && status < 400) {
    // Unauthorised visitors are redirected to the sign-in or the first page.
    const to = headers.location ?? "";
    return ADMIN.test(to.replace(/[?#].*$/, "")) && !WAY_IN.test(to) && !/error|denied/i.test(to);
  }
  if (status < 200 || status >= 300) return false;
  return isHtml(answer) ? !SIGN_IN.test(text) : !isRefusal(text);
}

function isRefusal(text: string): boolean {
  try {
    const data = JSON.parse(text) as Record<string, unknown> | null;
    return data === null || "error" in data || data["ok"] === false || data["success"] === false;
  } catch {
    return false;
  }
}
