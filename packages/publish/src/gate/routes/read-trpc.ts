import { bracketsOf } from "./brackets.ts";
import { namedFields } from "./named-fields.ts";
import type { Kind, Procedure } from "./remote-procedures.ts";
import type { GateFile } from "../types.ts";

const MOST = 100;
const CODE = /\.[cm]?[jt]sx?$/;
const IS_TRPC = /@trpc\/server/;
const ROUTER = /(?:\b(\w{1,60})\s{0,4}:\s{0,4}|\b(?:const|let)\s{1,4}(\w{1,60})\s{0,4}=\s{0,4})?(?:\w{1,20}\.)?(?:router|\w{0,20}Router)\s{0,4}\(\s{0,10}\{/g; // prettier-ignore
const PROCEDURE = /\b(\w{1,60})\s{0,4}:\s{0,4}(?:\w{1,30}\.)?\w{0,30}[pP]rocedure\b/g;
const DONE = /\.\s{0,4}(query|mutation)\s{0,4}\(/;
const INPUT = /\.\s{0,4}input\s{0,4}\(/;
const FIELD = /(?:^|[,{\n])\s{0,40}["']?([a-z_]\w{0,40})["']?\s{0,4}:\s{0,4}(?:\w{1,10}\.)?(?:coerce\.)?(\w{1,20})/gi; // prettier-ignore
const ENDPOINT = /["'`](?:https?:\/\/[^"'`/\s]{1,100})?(\/[\w/-]{0,60}trpc)(?![\w-])/;

/**
 * The procedures of tRPC routers in any files: `note: router({ byId: procedure.input(…).query(…)
 * })`.
 */
export function trpcProcedures(sources: readonly GateFile[]): Procedure[] {
  const files = sources.filter(({ path, text }) => CODE.test(path) && /[pP]rocedure\b/.test(text));
  if (!sources.some(({ text }) => IS_TRPC.test(text)) || files.length === 0) return [];
  const all = sources.map(({ text }) => text);
  const endpoint =
    all.map((text) => ENDPOINT.exec(text)?.[1]).find((one) => one !== undefined) ??
    (all.some((text) => /\bcreateHTTPServer\(/.test(text)) ? "" : "/trpc");
  const isWrapped = all.some((text) => /\btransformer\s{0,4}[:,]?\s{0,4}\w{0,20}/.test(text) && /superjson/.test(text)); // prettier-ignore
  const schemas = namedFields(files);
  /** The key under which a named router is put into another one. */
  const calledIn = (name: string): string | undefined =>
    all
      .map((text) => new RegExp(`\\b(\\w{1,60})\\s{0,4}:\\s{0,4}${name}\\b(?!\\s*\\()`).exec(text)?.[1])
      .find((one) => one !== undefined && one !== "router"); // prettier-ignore
  return files.flatMap(({ text }) => {
    const { closing } = bracketsOf(text);
    const routers = [...text.matchAll(ROUTER)].slice(0, MOST).map(({ 0: call, 1: key, 2: body, index }) => {
      const from = index + call.length - 1;
      return { key, body, from, to: closing.get(from) ?? from };
    }); // prettier-ignore
    const places = [...text.matchAll(PROCEDURE)].slice(0, MOST);
    return places.flatMap(({ 1: name = "", index }, at): Procedure[] => {
      const around = routers.filter(({ from, to }) => from < index && index < to);
      if (around.length === 0) return [];
      const part = text.slice(index, Math.min(places[at + 1]?.index ?? text.length, index + 3_000));
      const done = DONE.exec(part);
      if (!done) return [];
      const names = [
        ...around.flatMap(({ key, body }, depth) => key ?? (depth === 0 && body !== undefined ? (calledIn(body) ?? []) : [])), // prettier-ignore
        name,
      ];
      const input = INPUT.exec(part.slice(0, done.index));
      const open = input ? index + input.index + input[0].length - 1 : undefined;
      const inside = open === undefined ? "" : text.slice(open + 1, closing.get(open));
      return [{ names, isQuery: done[1] === "query", label: `${endpoint}/${names.join(".")}`, ...taken(inside), call: caller(endpoint, names, done[1] === "query", isWrapped) }]; // prettier-ignore
    });
  });

  function taken(inside: string): Pick<Procedure, "takes" | "takesOne"> {
    const named = schemas.get(/^\s*(\w+)/.exec(inside)?.[1] ?? "");
    if (named) return { takes: new Map(named.map((name) => [name, "text"])) };
    if (/\bobject\(/i.test(inside))
      return { takes: new Map([...inside.slice(inside.search(/\bobject\(/i)).matchAll(FIELD)].map(([, name = "", type = ""]) => [name, kindOf(type)])) }; // prettier-ignore
    const one = /^\s*(?:\w{1,10}\.)?(string|number|uuid|cuid|int)\b/.exec(inside)?.[1];
    return one === undefined ? { takes: new Map() } : { takes: new Map(), takesOne: kindOf(one) };
  }
}

const kindOf = (type: string): Kind =>
  /^(?:number|int|bigint)$/i.test(type) ? "number" : /^bool/i.test(type) ? "boolean" : /^array$/i.test(type) ? "list" : "text"; // prettier-ignore

const caller =
  (endpoint: string, names: readonly string[], isQuery: boolean, isWrapped: boolean): Procedure["call"] =>
  (args) => {
    const input = args === undefined ? undefined : JSON.stringify(isWrapped ? { json: args } : args);
    const path = `${endpoint}/${names.join(".")}`;
    const query = input === undefined ? "" : `?input=${encodeURIComponent(input)}`;
    return {
      method: isQuery ? "GET" : "POST",
      path: isQuery ? path + query : path,
      body: isQuery ? undefined : input ?? "{}",
      read(answer) {
        try {
          const { result } = JSON.parse(answer.text) as { result: { data: unknown } };
          const data = isWrapped ? (result.data as { json: unknown }).json : result.data;
          return { ...answer, text: JSON.stringify(data) ?? "null" };
        } catch {
          return { ...answer, status: answer.status === 200 ? 400 : answer.status, text: "" };
        }
      },
    };
  }; // prettier-ignore
