import { worthAsking } from "./find-routes.ts";
import type { GateFile } from "../types.ts";

/** Maximum number of guessed addresses, and of the parts from which they are combined. */
const MOST = 60;
const MOST_PREFIXES = 12;
const MOST_OF_FILE = 60;
const MOST_READ = 300_000;
const SERVER = /\.(?:[cm]?[jt]s|py|rb|go|php|java|kt|ex|exs)$/;
const NO_APP =
  /(?:^|\/)(?:tests?|__tests__|e2e|fixtures|mocks?|docs|public|static|dist|migrations)\/|(?:^|\/)test_[^/]*$|[._](?:test|spec|stories|config)\.\w+$/;

/** Names of data that is usually private, if the program mentions it. */
const PEOPLE =
  "users|accounts|customers|clients|patients|members|employees|staff|students|contacts|leads|guests|subscribers|applicants|candidates|attendees|orders|bookings|reservations|appointments|registrations|signups|waitlist|invoices|payments|messages";
const WORDS = new RegExp(
  `(?<![a-z])(?:${PEOPLE}|admin)(?![a-z])|(?:${PEOPLE.replace(/(^|\|)([a-z])/g, (_, bar: string, first: string) => bar + first.toUpperCase())})(?![a-z])`,
  "g",
);
const NAME = "([\\w-]{1,40}(?:/[\\w-]{1,40}){0,4})";
/**
 * Prefixes in several languages: `prefix="/api"` (FastAPI, Flask, Laravel, Fastify), Django's
 * `path("api/", include(…))`, `Mount("/api"`, `.Group("/api")`, `namespace :api`, and a compared
 * path segment.
 */
const PREFIXES = [
  `\\b(?:url_?)?prefix["']?\\s{0,4}[=:(]\\s{0,4}["'\`]/?${NAME}/?["'\`]`,
  `\\b(?:re_)?path\\(\\s{0,4}r?["']\\^?/?${NAME}/?["']\\s{0,4},\\s{0,4}include`,
  `\\b(?:mount|group|scope|use|register|RequestMapping)\\(\\s{0,4}["'\`]/?${NAME}/?["'\`]`,
  `\\b(?:namespace|scope)\\s{1,4}:?["']?/?${NAME}`,
  `\\[\\d\\]\\s{0,4}={2,3}\\s{0,4}["'\`]${NAME}["'\`]`,
  `\\bstarts_?with\\(\\s{0,4}["'\`]/${NAME}/["'\`]`,
  "(?:\\bcase\\s{1,4}|={2,3}\\s{0,4})[\"'`](api|rest|v\\d|admin|internal)[\"'`]",
].map((shape) => new RegExp(shape, "gi"));
/**
 * Routes below a prefix: `@router.get("/export")`, `path("customers/<int:pk>/", …)`, `resources
 * :customers`, `case "customers":`.
 */
const ROUTES = [
  /["'`](\/[\w./<>{}:-]{0,100})["'`]/g,
  /\b(?:re_)?path\(\s{0,4}r?["']\^?([^"'\s]{1,100}?)\$?["']/g,
  /\bresources?\s{1,4}:(\w{1,40})/g,
  /\bcase\s{1,4}["'`]([\w-]{1,40})["'`]/g,
];
/** JavaScript routers are followed across files, so their routes are known. */
const FOLLOWED = /\.[cm]?[jt]s$/;

/**
 * Guesses addresses that cannot be read from the sources: combinations of prefixes and routes, and
 * names of private data that the sources mention. The app answers a wrong guess as missing.
 * @param known addresses that are requested anyway
 */
export function guessRoutes(sources: readonly GateFile[], known: readonly string[]): string[] {
  const prefixes = new Set<string>();
  const words = new Set<string>();
  const routes = new Set<string>();
  for (const { path, text } of sources) {
    if (!SERVER.test(path) || NO_APP.test(path)) continue;
    const read = text.slice(0, MOST_READ);
    for (const shape of PREFIXES)
      for (const [, name = ""] of read.matchAll(shape))
        if (prefixes.size < MOST_PREFIXES) prefixes.add(`/${name}`);
    for (const [word] of read.matchAll(WORDS)) words.add(`/${word.toLowerCase()}`);
    if (FOLLOWED.test(path)) continue;
    const own = ROUTES.flatMap((shape) => [...read.matchAll(shape)]);
    for (const [, address = ""] of own.slice(0, MOST_OF_FILE))
      routes.add(`/${address.replace(/^\//, "")}`);
  }
  const single = ["", "/api", ...prefixes];
  const pairs = [...prefixes].flatMap((outer) =>
    [...prefixes].flatMap((inner) => (inner === outer ? [] : [outer + inner])),
  );
  const guessed = new Set<string>();
  const add = (message: string) => {
    const address = worthAsking(message);
    if (address !== undefined && !known.includes(address)) guessed.add(address);
  };
  // Private-sounding routes come first.
  for (const prefix of single) for (const word of words) add(prefix + word);
  const further = [...single, ...pairs].flatMap((prefix) =>
    ["", ...routes].map((route) => prefix + route),
  );
  const isSomebodys = (address: string) => address.search(WORDS) >= 0;
  for (const address of further.filter((one) => isSomebodys(one))) add(address);
  for (const address of further) add(address);
  return [...guessed].slice(0, MOST);
}
