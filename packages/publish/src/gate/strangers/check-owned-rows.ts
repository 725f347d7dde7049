import type { Send } from "./ask.ts";
import { adminWrites, checkAdmin, checkMembers } from "./check-admin.ts";
import { checkCookies } from "./check-page.ts";
import { checkStrangers, strangersKinds } from "./check-strangers.ts";
import { fieldValues } from "./field-values.ts";
import { findMethods, type Route } from "../routes/find-methods.ts";
import { findWaysIn, makeAccount, type WaysIn } from "./make-account.ts";
import { createPerson, type Person } from "./person.ts";
import { remoteProcedures, type Remote } from "../routes/remote-procedures.ts";
import { kindsOf, queriesIn, tryKind, type People } from "./try-kind.ts";
import type { Found, GateFile } from "../types.ts";

/** Limits of the check: milliseconds, and number of requests. */
const WHOLE_MS = 20_000;
const REQUESTS = 400;

/** Whether `checkOwnedRows` has anything to try. If not, the app need not be started for it. */
export function tellsPeopleApart(sources: readonly GateFile[]): boolean {
  const routes = routesOf(sources, remoteProcedures(sources));
  return (
    findWaysIn(sources, routes).hasSignIn ||
    adminWrites(routes).length > 0 ||
    strangersKinds(routes, sources).length > 0
  );
}

export interface OwnedRows {
  found: Found[];
  unchecked: string[];
}

/**
 * Registers two accounts, writes with one, and requests that data with the other: in lists, by
 * address, and by changing and deleting; also tries admin actions as an anonymous visitor. Run only
 * on a copy whose data is thrown away.
 */
export async function checkOwnedRows(
  send: Send,
  sources: readonly GateFile[],
  signal: AbortSignal,
): Promise<OwnedRows> {
  const remote = remoteProcedures(sources);
  const { found, unchecked } = await checkAll(remote.overSend(send), { sources, routes: routesOf(sources, remote) }, signal); // prettier-ignore
  return {
    found: found.map((one) => ({ ...one, where: remote.named(one.where) })),
    unchecked: unchecked.map(remote.named),
  };
}

const routesOf = (sources: readonly GateFile[], remote: Remote) => [
  ...findMethods(sources),
  ...remote.routes,
];

async function checkAll(
  send: Send,
  { sources, routes }: { sources: readonly GateFile[]; routes: readonly Route[] },
  signal: AbortSignal,
): Promise<OwnedRows> {
  const ways = findWaysIn(sources, routes);
  const until = performance.now() + WHOLE_MS;
  let left = REQUESTS;
  /** Requests that got no answer. They are not repeated, as they may have crashed the app. */
  const broke = new Set<string>();
  const bounded: Send = async (path, request) => {
    signal.throwIfAborted();
    if (left-- <= 0 || performance.now() >= until) return undefined;
    const asked = `${request.method} ${path}`;
    let answer = broke.has(asked) ? undefined : await send(path, request);
    // Python frameworks redirect some addresses to ones with a slash.
    const [bare = "", query] = path.split("?", 2);
    const to = `${bare}/${query === undefined ? "" : `?${query}`}`;
    if (answer && [301, 307, 308].includes(answer.status) && answer.headers.location?.endsWith(to))
      answer = await send(to, request);
    if (!answer) broke.add(asked);
    return answer;
  };
  const stranger = createPerson(bounded, "192.0.2.3", "http");
  // Called after the other checks, as it may delete data that they need.
  const administered = async () => [
    ...(await checkStrangers(stranger, strangersKinds(routes, sources))),
    ...(await checkAdmin(stranger, routes)),
  ];
  if (!ways.hasSignIn) return { found: await administered(), unchecked: [] };
  const people = await twoPeople(bounded, ways, stranger);
  if (typeof people === "string") return { found: await administered(), unchecked: [people] };
  const found = [...people.owner.given()].flatMap(([path, lines]) => checkCookies(path, lines));
  let written = 0;
  const knowledge = { routes, queries: queriesIn(sources), values: fieldValues(sources) };
  for (const kind of kindsOf(routes)) {
    const findings = await tryKind(people, kind, knowledge);
    if (!findings) continue;
    written++;
    found.push(...findings);
  }
  found.push(...(await checkMembers(bounded, people, { routes, ways, sources })));
  found.push(...(await administered()));
  const unchecked = [];
  if (written === 0)
    unchecked.push(
      "Two accounts were made, but nothing was found that one of them can write and see again, so whether the other can read it was not tried.",
    );
  else if (broke.size > 0 || left <= 0 || performance.now() >= until)
    unchecked.push("Not everything that one account can write was tried to be read by another.");
  return { found, unchecked };
}

async function twoPeople(send: Send, ways: WaysIn, stranger: Person): Promise<People | string> {
  if (ways.signUp.length === 0)
    return "It has a sign-in, but no way to make an account was found in its sources, so whether one person can read another's data was not tried.";
  const owner = await makeAccount(send, ways, "192.0.2.1");
  const other = owner && (await makeAccount(send, ways, "192.0.2.2"));
  if (!other)
    return `No two accounts could be made at ${ways.signUp[0]!.path}, so whether one person can read another's data was not tried.`;
  return { owner, other, stranger };
}
