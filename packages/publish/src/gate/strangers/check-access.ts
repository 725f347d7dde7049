import { SQLITE_BEGINNING } from "@treadle/protocol/project-path";
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { finding } from "../finding.ts";
import { isHtml, type Answer, type Ask } from "./ask.ts";
import { worthAsking } from "../routes/find-routes.ts";
import { findSecrets } from "../secrets/find-secrets.ts";
import { CODE, handedOut, open, openDatabase, PEOPLE } from "./handed-out.ts";
import { ADMIN, jsonOf, NOWHERE, REFUSED, saysAnything, SIGN_IN } from "./let-in.ts";
import { hasPeople, isGivenAnew, listsPeople, OF_PEOPLE, personalField, privateField } from "./told-of-people.ts"; // prettier-ignore
import type { Found, GateFile, NamedValue } from "../types.ts";

/** Maximum number of characters in which a sign-in is searched. */
const MOST_READ = 500_000;

/** An origin that only an attacker's page would have. */
const HERE = "http://here.invalid";
const HOSTILE = "https://somewhere-else.example";
/** Words in a script that draws a page with a sign-in. */
const DRAWS_SIGN_IN = /log-?in|sign-?in|password|\b401\b/i;
/** Links and buttons of a layout that is on all pages. */
const IN_LAYOUT = /<(a|button)\b[^<>]{0,500}>[^]{0,500}?<\/\1>/gi;
/** Maximum number of visible characters in a page that is drawn by a script. */
const EMPTY = 40;
const MOST_SCRIPTS = 5;
/**
 * Tokens that a page adds to its requests protect against other sites, since browsers only send
 * cookies automatically.
 */
const BY_TOKEN = /\bauthorization\b/i;
const BY_COOKIE =
  /cookie|session|basic_?auth|www-authenticate|better-auth|passport|next-auth|lucia|clerk/i;
const MOST_DESCRIBED = 60;
const MOST_WITHOUT_ORIGIN = 12;
/** The origin of a sandboxed frame, which may be anyone's. */
const NO_ORIGIN = "null";

/**
 * Finds data that anonymous visitors can read.
 * @param app.routes from its sources
 * @param app.guessed further possible routes, requested while there is time
 * @param app.sources files that no server should deliver
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
  const isByToken =
    sources.some(({ text }) => BY_TOKEN.test(text)) &&
    !sources.some(({ text }) => BY_COOKIE.test(text));
  const shared = (...asked: Parameters<typeof sharedWith>) =>
    isByToken ? [] : sharedWith(...asked);
  let left = MOST_WITHOUT_ORIGIN;
  /** Answers to an unknown address in each folder, since several guesses may share one. */
  const known = new Map<string, Answer | undefined>();
  const besides = async (route: string) => {
    const folder = route.replace(/\/[^/]*$/, "");
    if (!known.has(folder)) known.set(folder, await ask(folder + NOWHERE));
    return known.get(folder);
  };
  for (const route of routes) {
    const answer = await askFurther(ask, route);
    if (!answer) {
      found.push(
        finding({
          check: "access",
          severity: "minor",
          title: sentence("gate-no-answer"),
          where: route,
          todo: sentence("gate-do-answer"),
        }),
      );
      continue;
    }
    found.push(
      ...(await openTo(ask, route, { answer, nowhere, home })),
      ...shared(route, answer, HOSTILE),
    );
    if (answer.status === 200) answered.push({ path: route, text: answer.text });
    if (isHtml(answer) || answer.status === 404 || left-- <= 0) continue;
    const framed = await ask(route, { origin: NO_ORIGIN });
    if (framed) found.push(...shared(route, framed, NO_ORIGIN));
  }
  for (const route of [...(await describedRoutes(ask, sources)), ...guessed]) {
    if (!isInTime()) break;
    if (routes.includes(route)) continue;
    const answer = await askFurther(ask, route);
    // Continuing would only delay: the app is slow or has begun to refuse requests.
    if (!answer || answer.status === 429) break;
    if (answer.status !== 200) continue;
    const beside = await besides(route);
    const findings = await openTo(ask, route, { answer, nowhere: beside, home });
    if (findings.length === 0 || isSame(answer, nowhere)) continue;
    found.push(...findings);
    answered.push({ path: route, text: answer.text });
  }
  found.push(...(await findSecrets(answered, "output", own)));
  if (home) found.push(...shared("/", home, HOSTILE));
  return found;
}

/** Signs that an app publishes a description of its API, as FastAPI does by default. */
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
      .flatMap(([message, methods]) =>
        typeof methods === "object" && methods !== null && "get" in methods
          ? (worthAsking(message) ?? [])
          : [],
      )
      .slice(0, MOST_DESCRIBED);
  }
  return [];
}

/** Requests a route. Follows only a redirect from `/admin` to `/admin/`, as many servers send it. */
async function askFurther(ask: Ask, route: string): Promise<Answer | undefined> {
  const answer = await ask(route, { origin: HOSTILE });
  const leads = answer && answer.status >= 300 && answer.status < 400 && answer.headers.location;
  if (!leads || !URL.canParse(leads, HERE)) return answer;
  const { host, pathname } = new URL(leads, HERE);
  // Some redirect to their own supposed address.
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
  // A single-page app answers every address with its page.
  if (answer.status !== 200 || isSame(answer, nowhere, route)) return [];
  const data = jsonOf(answer);
  const finding = (title: string | Sentence): Found[] => [open(route, title)];
  if (answer.text.startsWith(SQLITE_BEGINNING)) return [openDatabase(route)];
  const field = privateField(data);
  if (field !== undefined) {
    const again = await ask(route);
    // A value that is new in each answer is no user's.
    if (!again || !isGivenAnew(field, privateField(jsonOf(again))))
      return finding(sentence("gate-field", { field: field.name }));
  }
  if (hasPeople(data, route) || listsPeople(answer, route)) return finding(PEOPLE);
  const personal = OF_PEOPLE.test(route) ? personalField(data) : undefined;
  if (personal !== undefined) return finding(sentence("gate-field", { field: personal }));
  if (!ADMIN.test(route)) return [];
  if (data !== undefined) return saysAnything(data) ? finding(sentence("gate-admin-data")) : [];
  // Browsers recognise a page by its beginning, too.
  const isPage = isHtml(answer) || /^\s*</.test(answer.text);
  return isPage && !isSame(answer, home) && !(await asksForSignIn(ask, route, answer, home))
    ? finding(sentence("gate-admin-page"))
    : [];
}

/**
 * Whether a page asks for a sign-in, judged by its own text without the shared layout, or else by
 * the scripts that draw it.
 */
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

/**
 * Whether an answer equals that for unknown addresses, ignoring parts that change each time, such
 * as a nonce, and the address itself.
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

function sharedWith(route: string, { headers }: Answer, origin: string): Found[] {
  if (
    headers["access-control-allow-origin"] !== origin ||
    headers["access-control-allow-credentials"] !== "true"
  )
    return [];
  return [
    finding({
      check: "access",
      severity: "serious",
      title: sentence("gate-shared"),
      where: route,
      todo: sentence("gate-do-origin"),
    }),
  ];
}
