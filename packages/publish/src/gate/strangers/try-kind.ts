import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { finding } from "../finding.ts";
import type { Route } from "../routes/find-methods.ts";
import type { Body, Person } from "./person.ts";
import type { Found, GateFile } from "../types.ts";
import {
  ACTS,
  fieldsOf,
  filled,
  nameOf,
  namedBy,
  namesOf,
  newMark,
  OWNER,
  shows,
  showing,
  writeRow,
  type Ids,
  type Place,
  type Row,
  type Said,
} from "./written-row.ts";

/** Maximum number of kinds of resources that one account creates. */
const MOST_KINDS = 8;
/** Maximum number of nested parents of a resource. */
const MOST_ABOVE = 2;
/** Query parameters: `req.query.userId`, `searchParams.get("q")`, `request.args["owner"]`. */
const QUERIED =
  /\b(?:query|searchParams|args|params)(?:\??\.get)?(?:\(\s{0,4}["'`]|\[\s{0,4}["'`]|\??\.)(\w{1,40})/g;
const TAKEN_APART = /\{([^{}]{1,200})\}\s{0,4}=\s{0,4}(?:await\s{1,4})?(?:\w{1,20}\.){0,2}query\b/g;
const SEARCH = /^(?:q|query|search|term|keyword|text|title|name)$/i;
const MOST_QUERIES = 4;
const BY_FORM = /:id\/(?:delete|remove|destroy)$/i;
const CHANGE_BY_FORM = /:id(?:\/(?:edit|update))?$/i;
/** An action on a resource, which is no nested resource: `POST /tasks/:id/toggle`. */
const IS_DONE =
  /:id$|:id\/(?:\w{0,20}-)?(?:edit|update|delete|remove|destroy|toggle|done|undone|complete|finish|check|archive|restore|pin|like|unlike|vote|star|follow|unfollow|join|leave|publish|approve|reject|accept|decline|cancel|move|copy|duplicate|share|close|open|start|stop|assign|mark\w*|set\w*)$/i;

export interface People {
  owner: Person;
  other: Person;
  stranger: Person;
}

/** The kinds of resources that can be created, each after its parents. */
export function kindsOf(routes: readonly Route[]): Route[] {
  const isKind = ({ method, path }: Route) =>
    method === "POST" && !ACTS.test(path) && !IS_DONE.test(path);
  const depth = ({ path }: Route) => path.split(":id").length;
  return routes
    .filter((route) => isKind(route) && depth(route) <= MOST_ABOVE + 1)
    .toSorted((a, b) => depth(a) - depth(b))
    .slice(0, MOST_KINDS);
}

export const queriesIn = (sources: readonly GateFile[]): string[] => {
  const names = sources.flatMap(({ text }) => [
    ...[...text.matchAll(QUERIED)].map(([, name = ""]) => name),
    ...[...text.matchAll(TAKEN_APART)].flatMap(([, inside = ""]) => inside.match(/\w+/g) ?? []),
  ]);
  return [...new Set(names)];
};

/**
 * Creates a row of a kind as the owner, and tries to read, extend and change it as the others.
 * @returns undefined if the owner cannot create a row, or cannot see it
 */
export async function tryKind(
  people: People,
  kind: Route,
  sources: Said,
): Promise<Found[] | undefined> {
  const above = await writeAbove(people.owner, kind, sources);
  const row = await writeRow(people.owner, kind, { ...sources, ids: above.ids });
  if (!row) return undefined;
  const tried = { kind, row, said: sources };
  const found = await tryReading(people, tried);
  if (above.row) found.push(...(await tryAdding(people, { ...tried, above: above.row, ids: above.ids }))); // prettier-ignore
  if (row.item) found.push(...(await tryChanging(people, tried)));
  return found;
}

/**
 * Creates the parent of a resource, found by its address or by a field that refers to it; anew each
 * time, as the last may have been deleted.
 */
async function writeAbove(
  owner: Person,
  kind: Route,
  sources: Said,
  steps = MOST_ABOVE,
): Promise<{ ids: Ids; row: Row | undefined }> {
  let ids: Ids = new Map();
  let row: Row | undefined;
  if (steps === 0) return { ids, row };
  const kinds = kindsOf(sources.routes);
  const paths = kinds.map(({ path }) => path).filter((path) => path !== kind.path);
  const inPath = [...kind.path.matchAll(/\/:id/g)].map(({ index }) => kind.path.slice(0, index));
  const parents = [
    ...inPath.flatMap((before) => paths.find((path) => path === before) ?? paths.find((path) => nameOf(path) === nameOf(before)) ?? []), // prettier-ignore
    ...kind.fields.flatMap((field) => namedBy(field, paths) ?? []),
  ];
  for (const path of new Set(parents)) {
    if (ids.has(path)) continue;
    const one = kinds.find((each) => each.path === path)!;
    const higher = await writeAbove(owner, one, sources, steps - 1);
    const written = await writeRow(owner, one, {
      ...sources,
      ids: new Map([...higher.ids, ...ids]),
    });
    if (!written) continue;
    ids = new Map([...higher.ids, ...ids, ...written.ids]);
    row = written;
  }
  return { ids, row };
}

interface Tried {
  kind: Route;
  row: Row;
  said: Said;
}

async function tryReading(
  { other, stranger }: People,
  { kind, row, said: sources }: Tried,
): Promise<Found[]> {
  const { mark, lists, item, owners } = row;
  const found: Found[] = [];
  let isPublic = false;
  for (const { path, as } of lists) {
    if (shows(await stranger.get(path), mark)) isPublic = true;
    else if (shows(await other.get(path), mark)) found.push(readable(`GET ${as}`));
  }
  if (item && !isPublic && !lists.some(({ path }) => path === item.path)) {
    const address = `GET ${item.as}`;
    if (shows(await stranger.get(item.path), mark)) {
      // An unguessable address may be meant for sharing.
      if (/^\d{1,12}$/.test(item.id)) found.push(open(address));
    } else if (shows(await other.get(item.path), mark)) found.push(readable(address));
  }
  if (!isPublic && found.length === 0)
    for (const { path, as } of aimed(kind, { said: sources, lists, mark, owners }))
      if (shows(await other.get(path), mark) && !shows(await stranger.get(path), mark)) {
        found.push(readable(`GET ${as}`));
        break;
      }
  return found;
}

/** Addresses that select rows by owner, or by a word in them. */
function aimed(
  kind: Route,
  { said: { routes, queries }, lists, mark, owners }: Pick<Row, "lists" | "mark" | "owners"> & { said: Said }, // prettier-ignore
): Place[] {
  const last = `/${nameOf(kind.path)}`;
  const nested = routes.filter(
    ({ method, path }) => method === "GET" && path.split(":id").length === 2 && path.endsWith(`:id${last}`), // prettier-ignore
  );
  const searched = routes.filter(
    ({ method, path }) => method === "GET" && path.endsWith("/search"),
  );
  const bare = lists.filter(({ as }) => !as.includes("?"));
  const full = searched.map(({ path }) => ({ path, as: path }));
  const asked = [...bare, ...full]
    .filter(({ path }, at, all) => all.findIndex((one) => one.path === path) === at)
    .slice(0, 3);
  const names = queries.filter((name) => OWNER.test(name) || SEARCH.test(name));
  return [
    ...nested.flatMap(({ path }) =>
      owners.map((id) => ({ path: path.replace(":id", encodeURIComponent(id)), as: path })),
    ),
    ...names.slice(0, MOST_QUERIES).flatMap((name) =>
      asked.flatMap(({ path, as }) =>
        (OWNER.test(name) ? owners : [mark]).map((value) => ({
          path: `${path}?${name}=${encodeURIComponent(value)}`,
          as: `${as}?${name}=`,
        })),
      ),
    ),
  ];
}

/**
 * Tries to add to another's private resource. A resource open to anonymous visitors is meant for
 * everyone.
 */
async function tryAdding(
  { owner, other, stranger }: People,
  { kind, row, said: sources, above, ids }: Tried & { above: Row; ids: Ids },
): Promise<Found[]> {
  const path = filled(kind.path, ids);
  const places = [...(above.item ? [above.item] : []), ...above.lists];
  if (path === undefined || places.length === 0) return [];
  if ((await showing(other, places, above.mark)).length > 0) return [];
  const adds = async (person: Person) => {
    const mark = newMark();
    for (const as of bodiesOf("POST", kind))
      await person.send("POST", path, {
        as,
        fields: fieldsOf(namesOf(kind), mark, ids, sources.values),
      });
    return (await showing(owner, row.lists, mark)).length > 0;
  };
  return !(await adds(stranger)) && (await adds(other)) ? [changeable(`POST ${kind.path}`)] : [];
}

async function tryChanging(
  { owner, other }: People,
  { kind, row, said: sources }: Tried,
): Promise<Found[]> {
  const found: Found[] = [];
  const places = [...(row.item ? [row.item] : []), ...row.lists];
  const { below, at } = belowOf(kind, row, sources.routes);
  let currentMark = row.mark;
  for (const { method, path, fields } of below) {
    if (method !== "PUT" && method !== "PATCH" && !(method === "POST" && CHANGE_BY_FORM.test(path)))
      continue;
    const changed = newMark();
    for (const as of bodiesOf(method, kind))
      await other.send(method, at(path), {
        as,
        fields: fieldsOf(namesOf(kind, fields), changed, row.ids, sources.values),
      });
    if ((await showing(owner, places, changed)).length === 0) continue;
    found.push(changeable(`${method} ${path}`));
    currentMark = changed;
  }
  for (const { method, path } of below) {
    if (method !== "DELETE" && !(method === "POST" && BY_FORM.test(path))) continue;
    if ((await showing(owner, places, currentMark)).length === 0) break;
    await other.send(method, at(path), { as: method === "DELETE" ? "json" : "form", fields: {} });
    if ((await showing(owner, places, currentMark)).length === 0)
      found.push(deletable(`${method} ${path}`));
  }
  return found;
}

/**
 * Requests that change and delete the resource: below its own path, and at a separate path of its
 * kind (`/api/tasks/:id`).
 */
function belowOf({ path: own }: Route, { ids }: Row, routes: readonly Route[]) {
  const alike = new RegExp(`^(?:/[\\w.-]+){0,3}/${nameOf(own).replace(/[^\w-]/g, "")}/:id(?:/[\\w-]+)?$`); // prettier-ignore
  const at = (shape: string) => filled(shape, ids);
  const below = routes.filter(
    ({ path }) => (path.startsWith(`${own}/:id`) || alike.test(path)) && at(path) !== undefined && !isFurther(path, own), // prettier-ignore
  );
  return { below, at: (shape: string) => at(shape)! };
}

/** Whether a path belongs to a nested resource, which is another kind. */
const isFurther = (path: string, own: string) =>
  path.split(":id").length > Math.max(own.split(":id").length + 1, 2);

const bodiesOf = (method: string, { path }: Route): Body["as"][] =>
  method !== "POST" || path.startsWith("/api/") ? ["json"] : ["form", "json"];

const TODO = sentence("gate-do-owner");

const telling =
  (title: string | Sentence) =>
  (where: string): Found =>
    finding({
      check: "access",
      severity: "serious",
      title,
      where,
      todo: TODO,
    });

const readable = telling(sentence("gate-own-read"));
const open = telling(sentence("gate-any-read"));
const changeable = telling(sentence("gate-own-change"));
const deletable = telling(sentence("gate-own-delete"));
