import { SQLITE_BEGINNING } from "@treadle/protocol/project-path";
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { finding } from "../finding.ts";
import type { Ask } from "./ask.ts";
import { hasSeveral } from "./told-of-people.ts";
import type { Found, GateFile } from "../types.ts";

export const CODE = /\.(?:[cm]?[jt]s|py)$/;
/** Signs that a file is a server's program and not public. */
const SERVER =
  /\bcreateServer\(|\.listen\(|\bprocess\.env\b|\bFlask\(|\bFastAPI\(|\bHTTPServer\(|\bDJANGO_SETTINGS_MODULE\b/;
const DATABASE =
  /["'`](?:\.{1,2}\/)?\/?((?:[\w-][\w.-]{0,60}\/){0,4}[\w-][\w.-]{0,60}\.(?:db|sqlite3?))["'`]/g;
/**
 * Maximum number of files that each of the checks below requests.
 */
const MOST_FILES = 4;
/**
 * Finds own files that a server delivers, sampling those that nobody would keep in a public folder,
 * and its database, if the sources name the path.
 */
export async function handedOut(ask: Ask, sources: readonly GateFile[]): Promise<Found[]> {
  const isOwn = ({ path, text }: GateFile) =>
    path === "package.json" || (CODE.test(path) && SERVER.test(text));
  const own = sources.filter(isOwn).toSorted((a, b) => a.path.length - b.path.length);
  for (const { path, text } of own.slice(0, MOST_FILES))
    if ((await ask(encodeURI(`/${path}`)))?.text.trim() === text.trim())
      return [
        finding({
          check: "access",
          severity: "serious",
          title: sentence("gate-own-files"),
          where: `/${path}`,
          todo: sentence("gate-do-own-files"),
        }),
      ];
  const databases = sources.flatMap(({ text }) =>
    [...text.matchAll(DATABASE)].flatMap(([, path = ""]) => [path, path.replace(/^.*\//, "")]),
  );
  for (const path of [...new Set(databases)].slice(0, MOST_FILES))
    if ((await ask(`/${path}`))?.text.startsWith(SQLITE_BEGINNING))
      return [openDatabase(`/${path}`)];
  return [];
}

/** Names of files with rows about people, or with full exports; `users.json` often holds made-up people. */
const ROWS =
  /(?:^|[/_-])(?:(?:customers|clients|patients|employees|subscribers|orders|bookings|leads|registrations|applicants|attendees|waitlist|invoices|payments|backup|dump)[\w-]{0,40}\.(?:csv|tsv|sql|vcf|ndjson|json)|(?:users|members|contacts|guests|export)[\w-]{0,40}\.(?:csv|tsv|sql|vcf|ndjson))$/i;
const TRIED = /(?:^|\/)(?:tests?|__tests__|e2e|fixtures|mocks?|seeds?|migrations|docs)\//;
/** Finds personal data in static files of the project: `public/customers.csv`. */
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

export const PEOPLE = sentence("gate-people");
export const open = (route: string, title: string | Sentence): Found =>
  finding({
    check: "access",
    severity: "serious",
    title,
    where: route,
    todo: sentence("gate-do-access"),
  });
export const openDatabase = (route: string) => open(route, sentence("gate-database"));
