import { randomBytes } from "node:crypto";
import type { Answer, Send } from "./ask.ts";
import { adminWrites, checkAdminWrites } from "./check-admin-writes.ts";
import { checkCookies } from "./check-page.ts";
import { fillFields } from "./fill-fields.ts";
import { findMethods, type Route } from "./find-methods.ts";
import { findWaysIn, isTaken, makeAccount, type WaysIn } from "./make-account.ts";
import { createPerson, type Body, type Person } from "./person.ts";
import type { Found, GateFile } from "./types.ts";

/** What is tried takes no longer than this, in milliseconds, and no more requests. */
const WHOLE_MS = 20_000;
const REQUESTS = 250;
/** Kinds of things that one account writes, and places where they may be seen. */
const MOST_KINDS = 6;
const MOST_PLACES = 12;
const ACTS =
  /log-?(?:in|out)|sign-?(?:in|out|up)|regist|session|auth(?:\/|$)|password|forgot|reset|verify|webhook|checkout|pay|send|mail|upload|import|export|cron|seed|admin/i;
/** To be given all of it as a file changes nothing. */
const IS_GIVEN = /(?:^|\/)export(?:\.\w{1,5})?$/i;
/** What an address asks for besides: `req.query.userId`, `searchParams.get("q")`, `request.args["owner"]`. */
const QUERIED =
  /\b(?:query|searchParams|args|params)(?:\??\.get)?(?:\(\s{0,4}["'`]|\[\s{0,4}["'`]|\??\.)(\w{1,40})/g;
const TAKEN_APART = /\{([^{}]{1,200})\}\s{0,4}=\s{0,4}(?:await\s{1,4})?(?:\w{1,20}\.){0,2}query\b/g;
const OWNER = /^(?:user|owner|author|account|member|customer|created_?by)(?:_?id)?$/i;
const SEARCH = /^(?:q|query|search|term|keyword|text|title|name)$/i;
const MOST_QUERIES = 4;
/** In a copy of the app without data the first people have these. */
const FIRST_IDS = ["1", "2"];
const BY_FORM = /:id\/(?:delete|remove|destroy)$/i;
const CHANGE_BY_FORM = /:id(?:\/(?:edit|update))?$/i;

/** Whether there is anything to try: nothing is started for an app that tells nobody apart and lets nobody administer it. */
export function tellsPeopleApart(sources: readonly GateFile[]): boolean {
  const routes = findMethods(sources);
  return findWaysIn(sources, routes).hasSignIn || adminWrites(routes).length > 0;
}

export interface OwnedRows {
  found: Found[];
  unchecked: string[];
}

/**
 * Makes two accounts, writes with one what the app lets it write, and asks for that with the other: by its list, by its
 * address, and by what changes and deletes it; and does as a stranger what only those may who administer it. Only for a copy
 * of the app whose data is thrown away.
 */
export async function checkOwnedRows(
  send: Send,
  sources: readonly GateFile[],
  signal: AbortSignal,
): Promise<OwnedRows> {
  const routes = findMethods(sources);
  const ways = findWaysIn(sources, routes);
  const until = performance.now() + WHOLE_MS;
  let left = REQUESTS;
  /** What gave no answer is not asked for again: it may have ended the app. */
  const broke = new Set<string>();
  const bounded: Send = async (path, request) => {
    signal.throwIfAborted();
    if (left-- <= 0 || performance.now() >= until) return undefined;
    const asked = `${request.method} ${path}`;
    const answer = broke.has(asked) ? undefined : await send(path, request);
    if (!answer) broke.add(asked);
    return answer;
  };
  const stranger = createPerson(bounded, "192.0.2.3", "http");
  // Last: it may take away what the others have.
  const administered = () => checkAdminWrites(stranger, routes);
  if (!ways.hasSignIn) return { found: await administered(), unchecked: [] };
  const people = await twoPeople(bounded, ways, stranger);
  if (typeof people === "string") return { found: await administered(), unchecked: [people] };
  const found = [...people.owner.given()].flatMap(([path, lines]) => checkCookies(path, lines));
  let written = 0;
  const queries = queriesIn(sources);
  for (const kind of kindsOf(routes)) {
    const told = await checkKind(people, kind, { routes, queries });
    if (!told) continue;
    written++;
    found.push(...told);
  }
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

interface People {
  owner: Person;
  other: Person;
  stranger: Person;
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

/** What can be written without knowing of anything else. */
const kindsOf = (routes: readonly Route[]) =>
  routes
    .filter(({ method, path }) => method === "POST" && !path.includes(":id") && !ACTS.test(path))
    .slice(0, MOST_KINDS);

/** Undefined where the owner cannot write one, or not see it again. */
async function checkKind(
  people: People,
  kind: Route,
  { routes, queries }: { routes: readonly Route[]; queries: readonly string[] },
): Promise<Found[] | undefined> {
  const { owner, other, stranger } = people;
  const row = await writeRow(owner, kind, routes);
  if (!row) return undefined;
  const { mark, lists, item, owners } = row;
  const found: Found[] = [];

  let isPublic = false;
  for (const path of lists) {
    if (shows(await stranger.get(path), mark)) isPublic = true;
    else if (shows(await other.get(path), mark)) found.push(readable(`GET ${path}`));
  }
  if (item && !isPublic) {
    const address = `GET ${item.shape}`;
    if (shows(await stranger.get(item.path), mark)) {
      // An address that nobody guesses may be meant to be handed on.
      if (/^\d{1,12}$/.test(item.id)) found.push(open(address));
    } else if (shows(await other.get(item.path), mark)) found.push(readable(address));
  }

  if (!isPublic && found.length === 0)
    for (const { path, as } of aimed(kind, { routes, queries, lists, mark, owners }))
      if (shows(await other.get(path), mark) && !shows(await stranger.get(path), mark)) {
        found.push(readable(`GET ${as}`));
        break;
      }

  const places = item ? [item.path, ...lists] : lists;
  const id = item?.id;
  if (id === undefined) return found;
  const below = routes.filter(({ path }) => path.startsWith(`${kind.path}/:id`));
  const at = (shape: string) => shape.replace(":id", encodeURIComponent(id));
  let stands = mark;
  for (const { method, path, fields } of below) {
    if (path.replace(":id", "").includes(":id")) continue;
    if (method !== "PUT" && method !== "PATCH" && !(method === "POST" && CHANGE_BY_FORM.test(path)))
      continue;
    const changed = newMark();
    for (const as of bodiesOf(method, kind))
      await other.send(method, at(path), {
        as,
        fields: fillFields(namesOf(kind, fields), changed),
      });
    if ((await showing(owner, places, changed)).length === 0) continue;
    found.push(changeable(`${method} ${path}`));
    stands = changed;
  }
  for (const { method, path } of below) {
    if (path.replace(":id", "").includes(":id")) continue;
    if (method !== "DELETE" && !(method === "POST" && BY_FORM.test(path))) continue;
    if ((await showing(owner, places, stands)).length === 0) break;
    await other.send(method, at(path), { as: method === "DELETE" ? "json" : "form", fields: {} });
    if ((await showing(owner, places, stands)).length === 0)
      found.push(deletable(`${method} ${path}`));
  }
  return found;
}

const queriesIn = (sources: readonly GateFile[]): string[] => {
  const names = sources.flatMap(({ text }) => [
    ...[...text.matchAll(QUERIED)].map(([, name = ""]) => name),
    ...[...text.matchAll(TAKEN_APART)].flatMap(([, inside = ""]) => inside.match(/\w+/g) ?? []),
  ]);
  return [...new Set(names)].filter((name) => OWNER.test(name) || SEARCH.test(name));
};

/** Addresses that ask for somebody's rows by who they are, or for all that hold a word. */
function aimed(
  kind: Route,
  {
    routes,
    queries,
    lists,
    mark,
    owners,
  }: {
    routes: readonly Route[];
    queries: readonly string[];
    lists: readonly string[];
    mark: string;
    owners: readonly string[];
  },
): { path: string; as: string }[] {
  const last = kind.path.replace(/^.*\//, "/");
  const nested = routes.filter(
    ({ method, path }) => method === "GET" && path.split(":id").length === 2 && path.endsWith(`:id${last}`), // prettier-ignore
  );
  const searched = routes.filter(
    ({ method, path }) => method === "GET" && path.endsWith("/search"),
  );
  const asked = [...new Set([...lists, ...searched.map(({ path }) => path)])].slice(0, 3);
  return [
    ...nested.flatMap(({ path }) =>
      owners.map((id) => ({ path: path.replace(":id", encodeURIComponent(id)), as: path })),
    ),
    ...queries.slice(0, MOST_QUERIES).flatMap((name) =>
      asked.flatMap((path) =>
        (OWNER.test(name) ? owners : [mark]).map((value) => ({
          path: `${path}?${name}=${encodeURIComponent(value)}`,
          as: `${path}?${name}=`,
        })),
      ),
    ),
  ];
}

const newMark = () => `treadle${randomBytes(6).toString("hex")}`;

/** Handlers that are found by their names alone are given what such things usually have. */
const USUAL = ["title", "name", "text", "content", "body", "description", "message"];

const namesOf = (kind: Route, fields: readonly string[] = []) => [
  ...new Set([...kind.fields, ...fields]),
];

const bodiesOf = (method: string, { path }: Route): Body["as"][] =>
  method !== "POST" || path.startsWith("/api/") ? ["json"] : ["form", "json"];

/** What the owner has written, and where it sees it. */
interface Row {
  mark: string;
  lists: string[];
  item: { id: string; path: string; shape: string } | undefined;
  /** What the owner may be called in it, and elsewhere. */
  owners: string[];
}

async function writeRow(
  owner: Person,
  kind: Route,
  routes: readonly Route[],
): Promise<Row | undefined> {
  const kinds: Body["as"][] = kind.path.startsWith("/api/") ? ["json", "form"] : ["form", "json"];
  for (const names of [namesOf(kind), USUAL]) {
    if (names.length === 0) continue;
    for (const as of kinds) {
      const mark = newMark();
      const answer = await owner.send("POST", kind.path, { as, fields: fillFields(names, mark) });
      if (!isTaken(answer)) continue;
      const lists = await showing(owner, listsOf(kind, routes), mark);
      const item = await findItem(owner, { kind, routes, mark, written: answer, lists });
      if (lists.length === 0 && !item?.isRead) continue;
      const told = [answer, ...(await Promise.all(lists.slice(0, 2).map((path) => owner.get(path))))]; // prettier-ignore
      const owners = [...new Set(told.flatMap((one) => ownersIn(one, mark)))].slice(0, 2);
      return { mark, lists, item, owners: [...new Set([...owners, ...FIRST_IDS])] };
    }
  }
  return undefined;
}

/** Where what was written may be listed: under its own path first. */
const listsOf = (kind: Route, routes: readonly Route[]) =>
  [
    kind.path,
    kind.path.replace(/^\/api(?=\/)/, ""),
    "/",
    ...routes
      .filter(
        ({ method, path }) =>
          method === "GET" && !path.includes(":id") && (!ACTS.test(path) || IS_GIVEN.test(path)),
      )
      .map(({ path }) => path),
  ]
    .filter((path, at, all) => all.indexOf(path) === at)
    .slice(0, MOST_PLACES);

const shows = (answer: Answer | undefined, mark: string) =>
  answer !== undefined && answer.status === 200 && answer.text.includes(mark);

async function showing(person: Person, paths: readonly string[], mark: string): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) if (shows(await person.get(path), mark)) found.push(path);
  return found;
}

/** The address of one thing: where its id is told, and where it may be read. */
async function findItem(
  owner: Person,
  {
    kind,
    routes,
    mark,
    written,
    lists,
  }: { kind: Route; routes: readonly Route[]; mark: string; written: Answer; lists: string[] },
): Promise<(NonNullable<Row["item"]> & { isRead: boolean }) | undefined> {
  const ids = new Set(idsIn(written, kind, mark));
  for (const path of lists) {
    const answer = await owner.get(path);
    if (answer) for (const id of idsIn(answer, kind, mark)) ids.add(id);
  }
  const shapes = [
    `${kind.path}/:id`,
    ...routes
      .filter(({ method, path }) => method === "GET" && /^\/[^:]+\/:id$/.test(path))
      .map(({ path }) => path),
  ];
  for (const id of [...ids].slice(0, 4))
    for (const shape of [...new Set(shapes)].slice(0, 4)) {
      const path = shape.replace(":id", encodeURIComponent(id));
      if (shows(await owner.get(path), mark)) return { id, path, shape, isRead: true };
    }
  // It may be changed and deleted where it cannot be read by itself.
  const [id] = ids;
  return id === undefined
    ? undefined
    : {
        id,
        path: `${kind.path}/${encodeURIComponent(id)}`,
        shape: `${kind.path}/:id`,
        isRead: false,
      };
}

const ID_FIELD = /^(?:_?id|uuid|slug|\w{1,30}_?id)$/i;

function idsIn({ headers, text }: Answer, { path }: Route, mark: string): string[] {
  const ids: string[] = [];
  const last = /\/([\w-]{1,64})\/?(?:\?.*)?$/.exec(String(headers.location ?? ""))?.[1];
  if (last !== undefined && String(headers.location).includes(`${path}/`)) ids.push(last);
  try {
    const row = rowWith(JSON.parse(text) as unknown, mark);
    const fields = Object.entries(row ?? {}).toSorted(([a], [b]) => a.length - b.length);
    for (const [name, value] of fields)
      if (ID_FIELD.test(name) && (typeof value === "string" || typeof value === "number"))
        ids.push(String(value));
  } catch {
    const at = text.indexOf(mark);
    const near = at < 0 ? "" : text.slice(Math.max(0, at - 600), at + 600);
    for (const [, link = ""] of near.matchAll(/["'](\/[^"'\s]{1,200})["']/g)) {
      const [id = ""] = link.startsWith(`${path}/`)
        ? link.slice(path.length + 1).split(/[/?#]/)
        : [];
      if (id !== "") ids.push(id);
    }
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

/** The innermost object that holds the mark itself. */
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

const TODO =
  "Name the owner in the query too (WHERE id = ? AND user_id = ?), and answer 404 for what is somebody else's. Where all who sign in are meant to share it, publish it all the same.";

const telling =
  (title: string) =>
  (where: string): Found => ({
    check: "access",
    severity: "serious",
    title,
    where,
    todo: TODO,
  });

const readable = telling("One signed-in person can read what another has written.");
const open = telling("Anybody, without a sign-in, can read what another has written.");
const changeable = telling("One signed-in person can change what another has written.");
const deletable = telling("One signed-in person can delete what another has written.");
