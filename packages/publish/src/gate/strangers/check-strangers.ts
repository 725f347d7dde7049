import { sentence } from "@treadle/protocol/sentences";
import { finding } from "../finding.ts";
import type { Answer } from "./ask.ts";
import { isDone, WAY_IN } from "./check-admin.ts";
import type { Route } from "../routes/find-methods.ts";
import { ADMIN, jsonOf } from "./let-in.ts";
import type { Person } from "./person.ts";
import type { Found, GateFile } from "../types.ts";
import { ACTS, fieldsOf, newMark, shows } from "./written-row.ts";

const MOST = 8;
const OF_ONE = /^(\/[^:]{1,200})\/:id$/;
/** Signs of refusals in the sources. Without any the app has no sign-in, and nothing is tried. */
const REFUSES = /\b40[13]\b|unauthori[sz]ed|forbidden/i;

interface Kind {
  path: string;
  /** The requests that change or delete one entry. */
  ofOne: Route[];
  make: Route | undefined;
}

/** Kinds of data that anonymous visitors can partly see, and that somebody can change or delete. */
export function strangersKinds(
  routes: readonly Route[],
  sources: readonly GateFile[],
): readonly Kind[] {
  if (!sources.some(({ text }) => REFUSES.test(text))) return [];
  const kinds = new Map<string, Kind>();
  for (const route of routes) {
    const [, path = ""] = (route.method !== "GET" && OF_ONE.exec(route.path)) || [];
    if (path === "" || route.method === "POST" || ADMIN.test(path) || ACTS.test(path)) continue;
    const make = routes.find((one) => one.method === "POST" && one.path === path);
    const known = kinds.get(path) ?? { path, ofOne: [], make };
    kinds.set(path, known);
    known.ofOne.push(route);
  }
  // Writing alone proves nothing, as it may be meant for everyone.
  return [...kinds.values()].filter(({ ofOne, make }) => ofOne.length + (make ? 1 : 0) > 1).slice(0, MOST); // prettier-ignore
}

/**
 * Tries to change and delete existing data as an anonymous visitor. If the app requires a sign-in
 * for some of these requests, it should for all; if for none, they are meant to be public, as
 * creating often is. Run only on a copy whose data is thrown away.
 */
export async function checkStrangers(stranger: Person, kinds: readonly Kind[]): Promise<Found[]> {
  const found: Found[] = [];
  for (const { path, ofOne, make } of kinds) {
    const done: Route[] = [];
    let refused = 0;
    const mark = newMark();
    if (make) {
      const answer = await stranger.send("POST", path, { as: "json", fields: fieldsOf(make.fields, mark, new Map()) }); // prettier-ignore
      if (isRefused(answer)) refused++;
    }
    // Deletion comes last.
    for (const route of ofOne.toSorted((a, b) => rank(a) - rank(b))) {
      const listed = await stranger.get(path);
      const id = lastId(listed);
      const address = `${path}/${encodeURIComponent(id ?? "1")}`;
      const changed = newMark();
      const fields = fieldsOf([...new Set([...route.fields, ...(make?.fields ?? [])])], changed, new Map()); // prettier-ignore
      const answer = await stranger.send(route.method, address, { as: "json", fields });
      if (isRefused(answer)) refused++;
      else if (id !== undefined && isDone(answer)) {
        const after = await stranger.get(path);
        const isSeen =
          route.method === "DELETE"
            ? after?.status === 200 && !idsIn(after).includes(id)
            : shows(after, changed) || shows(await stranger.get(address), changed);
        if (isSeen) done.push(route);
      }
    }
    if (refused === 0) continue;
    for (const route of done)
      found.push(
        finding({
          check: "access",
          severity: "serious",
          title: sentence("gate-beside"),
          where: `${route.method} ${route.path}`,
          todo: sentence("gate-do-admin-done"),
        }),
      );
  }
  return found;
}

const rank = ({ method }: Route) => (method === "DELETE" ? 1 : 0);

function isRefused(answer: Answer | undefined): boolean {
  if (!answer) return false;
  const { status, headers } = answer;
  return status === 401 || status === 403 || (status >= 300 && status < 400 && WAY_IN.test(headers.location ?? "")); // prettier-ignore
}

/** The ids of the rows in a JSON answer's first list; none for any other answer. */
function idsIn(answer: Answer | undefined): string[] {
  const data = answer?.status === 200 ? jsonOf(answer) : undefined;
  const lists = Array.isArray(data) ? [data] : Object.values(data ?? {}).filter((one) => Array.isArray(one)); // prettier-ignore
  return (lists[0] ?? []).slice(0, 1_000).flatMap((row: unknown): string[] => {
    const { id, _id } = (row ?? {}) as Record<string, unknown>;
    const rowId = id ?? _id;
    return typeof rowId === "string" || typeof rowId === "number" ? [String(rowId)] : [];
  });
}

const lastId = (answer: Answer | undefined) => idsIn(answer).at(-1);
