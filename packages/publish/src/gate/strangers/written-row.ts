import { randomBytes } from "node:crypto";
import type { Answer } from "./ask.ts";
import type { FieldValues } from "./field-values.ts";
import { fillFields } from "./fill-fields.ts";
import type { Route } from "../routes/find-methods.ts";
import { isTaken } from "./make-account.ts";
import type { Body, Person } from "./person.ts";

/** Maximum number of places where a created row is searched. */
const MOST_PLACES = 12;
/** Routes with an action, or about the current user, which store nothing. */
export const ACTS =
  /log-?(?:in|out)|sign-?(?:in|out|up)|regist|session|auth(?:\/|$)|password|forgot|reset|verify|webhook|checkout|pay|send|mail|upload|import|export|cron|seed/i;
/** Routes that export everything as a file, which changes nothing. */
const IS_GIVEN = /(?:^|\/)export(?:\.\w{1,5})?$/i;
/** Usual fields, for handlers of which only the name is known. */
const USUAL = ["title", "name", "text", "content", "body", "description", "message"];
/** Names of fields that refer to an owner. */
export const OWNER = /^(?:user|owner|author|account|member|customer|created_?by)(?:_?id)?$/i;
/** The first users of an app without data have these ids. */
const FIRST_IDS = ["1", "2"];

/** An address to request, and its form in sources and findings. */
export interface Place {
  path: string;
  as: string;
}

/** The ids of a user's rows by the path of their kind, such as `/api/projects`. */
export type Ids = ReadonlyMap<string, string>;

/** The parts of an app's sources that the checks need. */
export interface Said {
  routes: readonly Route[];
  /** Names of query parameters. */
  queries: readonly string[];
  values: FieldValues;
}

/** A row that the owner created, and where it is visible. */
export interface Row {
  mark: string;
  lists: Place[];
  item: (Place & { id: string }) | undefined;
  /** Names and ids of the owner in the row and elsewhere. */
  owners: string[];
  /** The ids of its parents and its own. */
  ids: Ids;
}

export const newMark = () => `treadle${randomBytes(6).toString("hex")}`;

/** The name of a kind: `tasks` for `/api/projects/:id/tasks`. */
export const nameOf = (path: string) => path.replace(/^.*\//, "");

/** Fills in the ids of the parents, by path or else by name; undefined if one is unknown. */
export function filled(shape: string, ids: Ids): string | undefined {
  let path = "";
  let before = "";
  for (const part of shape.split("/").slice(1)) {
    const id = part === ":id" ? idOf(before, ids) : part;
    if (id === undefined) return undefined;
    path += `/${part === ":id" ? encodeURIComponent(id) : part}`;
    before += `/${part}`;
  }
  return path;
}

const idOf = (kind: string, ids: Ids): string | undefined =>
  ids.get(kind) ?? [...ids].findLast(([one]) => nameOf(one) === nameOf(kind))?.[1];

/** The kind to which a field refers: `projects` for `projectId` and `project_id`; undefined if there is none. */
export function namedBy(field: string, kinds: Iterable<string>): string | undefined {
  const [, one = ""] = /^([a-z]\w*?)(?:_?id)$/i.exec(field) ?? [];
  const name = one.toLowerCase().replace(/_$/, "");
  if (name === "") return undefined;
  const plurals = [`${name}s`, `${name}es`, name.replace(/y$/, "ies"), name];
  return [...kinds].find((kind) =>
    plurals.includes(nameOf(kind).toLowerCase().replace(/[-_]/g, "")),
  );
}

export const namesOf = (kind: Route, fields: readonly string[] = []) => [
  ...new Set([...kind.fields, ...fields]),
];

/** Values for fields: the id of a parent, a value that the sources allow, or a plausible one with the mark. */
export function fieldsOf(
  names: readonly string[],
  mark: string,
  ids: Ids,
  values: FieldValues = new Map(),
): Body["fields"] {
  const fields = fillFields(names, mark);
  for (const name of names) fields[name] = values.get(name) ?? fields[name]!;
  for (const name of names) {
    const id = idOf(namedBy(name, ids.keys()) ?? "/", ids);
    if (id !== undefined) fields[name] = /^\d{1,12}$/.test(id) ? Number(id) : id;
  }
  return fields;
}

/** Creates a row below the given ids; undefined if it cannot be created or is not visible. */
export async function writeRow(
  owner: Person,
  kind: Route,
  { ids, ...sources }: Said & { ids: Ids },
): Promise<Row | undefined> {
  const path = filled(kind.path, ids);
  if (path === undefined) return undefined;
  const kinds: Body["as"][] = kind.path.startsWith("/api/") ? ["json", "form"] : ["form", "json"];
  const { routes, values } = sources;
  const places = placesOf(kind, { ...sources, ids });
  const tries: [names: readonly string[], values?: FieldValues][] = [
    [namesOf(kind), values],
    [namesOf(kind)],
    [USUAL],
  ];
  for (const [names, known] of tries) {
    if (names.length === 0) continue;
    for (const as of kinds) {
      const mark = newMark();
      const answer = await owner.send("POST", path, {
        as,
        fields: fieldsOf(names, mark, ids, known),
      });
      if (!isTaken(answer)) continue;
      const lists = await showing(owner, places, mark);
      const item = await findItem(owner, { kind, routes, mark, written: answer, lists, ids });
      if (lists.length === 0 && !item?.isRead) continue;
      const answers = [answer, ...(await Promise.all(lists.slice(0, 2).map((one) => owner.get(one.path))))]; // prettier-ignore
      const owners = [...new Set(answers.flatMap((one) => ownersIn(one, mark)))].slice(0, 2);
      return {
        mark,
        lists,
        item,
        owners: [...new Set([...owners, ...FIRST_IDS])],
        ids: item ? new Map([...ids, [kind.path, item.id]]) : ids,
      };
    }
  }
  return undefined;
}

/** Places where the row may be listed: its own path first, then its parents. */
function placesOf({ path }: Route, { routes, queries, ids }: Said & { ids: Ids }): Place[] {
  const above = path.includes(":id") ? [path.replace(/(:id)\/[^:]*$/, "$1")] : [];
  const asked = queries.flatMap((name) => {
    const id = ids.get(namedBy(name, ids.keys()) ?? "");
    return id === undefined ? [] : [{ name, id }];
  });
  const listed = routes.filter(
    (one) =>
      one.method === "GET" &&
      (!one.path.includes(":id") || nameOf(one.path) === nameOf(path)) &&
      (!ACTS.test(one.path) || IS_GIVEN.test(one.path)),
  );
  const shapes = [path, path.replace(/^\/api(?=\/)/, ""), ...above, "/", ...listed.map((one) => one.path)]; // prettier-ignore
  return [...new Set(shapes)]
    .flatMap((as): Place[] => {
      const one = filled(as, ids);
      if (one === undefined) return [];
      const below = asked.filter(() => nameOf(as) === nameOf(path));
      return [
        { path: one, as },
        ...below.map(({ name, id }) => ({
          path: `${one}?${name}=${encodeURIComponent(id)}`,
          as: `${as}?${name}=`,
        })),
      ];
    })
    .slice(0, MOST_PLACES);
}

export const shows = (answer: Answer | undefined, mark: string) =>
  answer !== undefined && answer.status === 200 && answer.text.includes(mark);

export async function showing<One extends Place>(
  person: Person,
  places: readonly One[],
  mark: string,
): Promise<One[]> {
  const found: One[] = [];
  for (const one of places) if (shows(await person.get(one.path), mark)) found.push(one);
  return found;
}

/** The id and address of a row, and whether it can be read there; undefined if its id is not found. */
async function findItem(
  owner: Person,
  { kind, routes, mark, written, lists, ids }: {
    kind: Route;
    routes: readonly Route[];
    mark: string;
    written: Answer;
    lists: readonly Place[];
    ids: Ids;
  }, // prettier-ignore
): Promise<(NonNullable<Row["item"]> & { isRead: boolean }) | undefined> {
  const reported = new Set(idsIn(written, kind, mark));
  for (const { path } of lists) {
    const answer = await owner.get(path);
    if (answer) for (const id of idsIn(answer, kind, mark)) reported.add(id);
  }
  const own = `${kind.path}/:id`;
  const isAlike = (path: string) => path.endsWith(`/${nameOf(kind.path)}/:id`);
  const shapes = [
    own,
    ...routes
      .filter(
        ({ method, path }) =>
          method === "GET" &&
          (isAlike(path) || (!kind.path.includes(":id") && /^\/[^:]+\/:id$/.test(path))),
      )
      .map(({ path }) => path)
      .toSorted((a, b) => Number(isAlike(b)) - Number(isAlike(a))),
  ];
  const at = (as: string, id: string): Place | undefined => {
    const path = filled(as, new Map([...ids, [as.replace(/\/:id$/, ""), id]]));
    return path === undefined ? undefined : { path, as };
  };
  for (const id of [...reported].slice(0, 4))
    for (const shape of [...new Set(shapes)].slice(0, 4)) {
      const place = at(shape, id);
      if (place && shows(await owner.get(place.path), mark)) return { id, ...place, isRead: true };
    }
  // A row may be changed and deleted even if it cannot be read separately.
  const [id] = reported;
  const place = id === undefined ? undefined : at(own, id);
  return place && { id: id!, ...place, isRead: false };
}

const ID_FIELD = /^(?:_?id|uuid|slug|\w{1,30}_?id)$/i;

function idsIn({ headers, text }: Answer, { path }: Route, mark: string): string[] {
  const ids: string[] = [];
  const last = /\/([\w-]{1,64})\/?(?:\?.*)?$/.exec(String(headers.location ?? ""))?.[1];
  if (last !== undefined && String(headers.location).includes(`/${nameOf(path)}/`)) ids.push(last);
  try {
    const row = rowWith(JSON.parse(text) as unknown, mark);
    const fields = Object.entries(row ?? {}).toSorted(([a], [b]) => a.length - b.length);
    for (const [name, value] of fields)
      if (ID_FIELD.test(name) && (typeof value === "string" || typeof value === "number"))
        ids.push(String(value));
  } catch {
    const at = text.indexOf(mark);
    const near = at < 0 ? "" : text.slice(Math.max(0, at - 600), at + 600);
    for (const [, id = ""] of near.matchAll(
      new RegExp(`["'](?:/[\\w.-]{1,100}){0,4}/${nameOf(path).replace(/[^\w-]/g, "")}/([\\w%.-]{1,100})["'/?#]`, "g"), // prettier-ignore
    ))
      ids.push(id);
  }
  return ids;
}

function ownersIn(answer: Answer | undefined, mark: string): string[] {
  try {
    const row = rowWith(JSON.parse(answer?.text ?? "") as unknown, mark);
    return Object.entries(row ?? {}).flatMap(
      ([name, value]) =>
      OWNER.test(name) && (typeof value === "string" || typeof value === "number") ? [String(value)] : [], // prettier-ignore
    );
  } catch {
    return [];
  }
}

/** The innermost object that contains the mark. */
function rowWith(data: unknown, mark: string, depth = 0): Record<string, unknown> | undefined {
  if (typeof data !== "object" || data === null || depth > 6) return undefined;
  const values = Object.values(data).slice(0, 500);
  for (const value of values) {
    const inside = rowWith(value, mark, depth + 1);
    if (inside) return inside;
  }
  if (Array.isArray(data)) return undefined;
  return values.some((value) => typeof value === "string" && value.includes(mark))
    ? (data as Record<string, unknown>)
    : undefined;
}
