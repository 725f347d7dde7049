import type { Answer, Ask, Send } from "../strangers/ask.ts";
import type { Route } from "./find-methods.ts";
import { graphqlProcedures } from "./read-graphql.ts";
import { trpcProcedures } from "./read-trpc.ts";
import type { GateFile } from "../types.ts";

/** An operation that is called by name and not by address: in tRPC or GraphQL. */
export interface Procedure {
  isQuery: boolean;
  /** The label in findings. */
  label: string;
  /** Its name within its routers: `["note", "byId"]`. */
  names: readonly string[];
  /** Its arguments by name. */
  takes: ReadonlyMap<string, Kind>;
  /** Set if it takes a single plain value. */
  takesOne?: Kind;
  /** The request that calls the operation with these arguments, and how to read the answer. */
  call(args: Record<string, unknown> | string | number | undefined): Call;
}

export type Kind = "text" | "number" | "boolean" | "list";

export interface Call {
  path: string;
  method: "GET" | "POST";
  body?: string;
  read(answer: Answer): Answer;
}

/** Prefix of the procedures' virtual addresses, which no real route uses. */
const BELOW = "/api/~";
const MOST = 80;
const IS_ID = /^(?:_?id|uuid|slug|\w{1,40}_?id)$/i;
const MAKES = /^(?:create|add|new|insert|make|post|write)(?=[A-Z_]|$)/;
const CHANGES = /^(?:update|edit|change|set|rename|save|patch|modify)(?=[A-Z_]|$)/;
const REMOVES = /^(?:delete|remove|destroy)(?=[A-Z_]|$)/;
const READS =
  /^(?:get|list|all|find|fetch|load|read|my|mine|by|one|single|search)(?=[A-Z_]|$)(?:All|Many|One|Mine|My|By)?/;
const LETS_IN =
  /^(?:sign_?up|register(?:User)?|create(?:Account|User)|log_?in|sign_?in|authenticate)$/i;

export interface Remote {
  routes: Route[];
  overSend(send: Send): Send;
  overAsk(ask: Ask): Ask;
  /** Replaces the virtual addresses in a text by the procedures' names. */
  named(text: string): string;
}

/**
 * Gives procedures the methods and addresses of comparable routes (`createNote`: POST, `note.byId`:
 * GET, `/:id`), so that the other checks apply to them.
 */
export function remoteProcedures(sources: readonly GateFile[]): Remote {
  const known = new Map<string, Procedure>();
  for (const one of [...trpcProcedures(sources), ...graphqlProcedures(sources)].slice(0, MOST)) {
    const address = addressOf(one);
    if (address !== undefined && !known.has(address)) known.set(address, one);
  }
  const routes = [...known].map(([address, { takes }]): Route => {
    const [method, path] = address.split(" ") as [Route["method"], string];
    return { method, path, fields: [...takes.keys()].filter((name) => !path.endsWith("/:id") || !IS_ID.test(name)) }; // prettier-ignore
  });

  function callOf(method: string, path: string, body: string | undefined): Call | undefined {
    const [bare = ""] = path.split("?");
    const procedure = known.get(`${method} ${bare}`);
    if (procedure) return procedure.call(argsOf(procedure, fieldsIn(body)));
    const at = bare.lastIndexOf("/");
    const one = known.get(`${method} ${bare.slice(0, at)}/:id`);
    return one?.call(argsOf(one, fieldsIn(body), decodeURIComponent(bare.slice(at + 1))));
  }

  return {
    routes,
    overSend: (send) => async (path, request) => {
      if (!path.startsWith(BELOW)) return send(path, request);
      const call = callOf(request.method, path, request.body);
      if (!call) return { status: 404, headers: {}, bytes: 0, text: "" };
      const headers = { ...request.headers, ...CALLED };
      const answer = await send(call.path, { method: call.method, headers, body: call.body });
      return answer && call.read(answer);
    },
    overAsk: (ask) => async (path, headers) => {
      if (!path.startsWith(BELOW)) return ask(path, headers);
      const call = callOf("GET", path, undefined);
      if (call?.method !== "GET") return { status: 404, headers: {}, bytes: 0, text: "" };
      const answer = await ask(call.path, { ...headers, ...CALLED });
      return answer && call.read(answer);
    },
    named: (text) =>
      text.replace(/(?:(GET|POST|PATCH|DELETE) )?(\/api\/~\/[\w/:-]+)(?:\?\w*=)?/g, (all, method: string | undefined, path: string) => {
        const at = path.replace(/\/1$/, "/:id");
        const one = known.get(`${method ?? "GET"} ${at}`) ?? known.get(`POST ${at}`);
        return one?.label ?? all;
      }), // prettier-ignore
  };
}

/**
 * Headers that pages of such apps send. Some servers require the last one as protection against
 * cross-site forms.
 */
const CALLED = {
  accept: "application/json",
  "content-type": "application/json",
  "apollo-require-preflight": "true",
};

/** The method and virtual address that a procedure's name suggests; undefined if it suggests none. */
function addressOf({ isQuery, names, takes, takesOne }: Procedure): string | undefined {
  const last = names.at(-1)!;
  const above = names.slice(0, -1);
  if (LETS_IN.test(last)) {
    const way = /up|register|create/i.test(last) ? "register" : "login";
    return isQuery ? undefined : `POST ${BELOW}/${way}`;
  }
  const verb = isQuery ? READS : [MAKES, CHANGES, REMOVES].find((one) => one.test(last));
  const rest = verb ? last.replace(verb, "").replace(/^_|(?:By|_by_?)?I[dD]$/g, "") : isQuery ? last : ""; // prettier-ignore
  const noun = rest !== "" && (above.length === 0 || !verb?.test(last)) ? rest : (above.at(-1) ?? rest); // prettier-ignore
  if (noun === "" || (!isQuery && !verb)) return undefined;
  const path = `${BELOW}/${plural(noun)}`;
  const takesId = takesOne !== undefined || [...takes.keys()].some((name) => isIdOf(name, noun));
  if (isQuery) return takesId ? `GET ${path}/:id` : `GET ${path}`;
  if (verb === MAKES) return `POST ${path}`;
  if (!takesId) return undefined;
  return `${verb === REMOVES ? "DELETE" : "PATCH"} ${path}/:id`;
}

/** Whether a field identifies the thing itself and not its parent: `id`, or `noteId` of a note. */
const isIdOf = (field: string, noun: string) =>
  /^(?:_?id|uuid|slug)$/i.test(field) ||
  field.toLowerCase().replace("_", "") === `${singular(noun).toLowerCase()}id`;

const singular = (noun: string) => noun.replace(/ies$/i, "y").replace(/(?<!s)s$/i, "");

function plural(noun: string): string {
  const one = noun[0]!.toLowerCase() + noun.slice(1);
  if (/s$/i.test(one)) return one;
  return /[^aeiou]y$/i.test(one) ? one.replace(/y$/i, "ies") : `${one}s`;
}

function fieldsIn(body: string | undefined): Record<string, unknown> {
  try {
    return JSON.parse(body ?? "{}") as Record<string, unknown>;
  } catch {
    return {};
  }
}

function argsOf(
  { takes, takesOne }: Procedure,
  fields: Record<string, unknown>,
  id?: string,
): Record<string, unknown> | string | number | undefined {
  if (takesOne) return takesOne === "number" ? Number(id) : (id ?? "");
  if (takes.size === 0) return undefined;
  const args: Record<string, unknown> = {};
  for (const [name, kind] of takes) {
    const value = id !== undefined && IS_ID.test(name) && (fields[name] === undefined) ? id : fields[name]; // prettier-ignore
    if (value !== undefined) args[name] = as(kind, value);
  }
  return args;
}

function as(kind: Kind, value: unknown): unknown {
  if (kind === "number") return Number.isFinite(Number(value)) ? Number(value) : 1;
  if (kind === "boolean") return value === true;
  return kind === "list" ? [String(value)] : String(value);
}
