import type { Kind, Procedure } from "./remote-procedures.ts";
import type { GateFile } from "../types.ts";

const CODE = /\.(?:[cm]?[jt]sx?|gql|graphql|graphqls|py)$/;
const TYPE =
  /(?:\bextend\s{1,10})?\b(type|input)\s{1,10}(\w{1,60})[^{}"'`]{0,200}\{([^{}]{0,20000})\}/g;
const FIELD =
  /\b(\w{1,60})\s{0,10}(?:\(([^()]{0,1000})\))?\s{0,10}:\s{0,10}(\[?)\s{0,4}(\w{1,60})/g;
const ARGUMENT = /(\w{1,60})\s{0,10}:\s{0,10}(\[?)\s{0,4}(\w{1,60})/g;
const ENDPOINT = /["'`](?:https?:\/\/[^"'`/\s]{1,100})?(\/[\w/-]{0,60}graphql)(?![\w.-])/;
const SCALARS = /^(?:ID|String|Int|Float|Boolean|Date(?:Time)?|JSON|Time)$/;
const MOST_FIELDS = 30;

interface Field {
  name: string;
  type: string;
  args: string;
}

/** The operations in GraphQL schemas: `type Query { note(id: ID!): Note }`. */
export function graphqlProcedures(sources: readonly GateFile[]): Procedure[] {
  const texts = sources
    .filter(({ path, text }) => CODE.test(path) && /\btype\s+(?:Query|Mutation)\b/.test(text))
    .map(({ text }) => text.replace(/"""[^]*?"""|#[^\n]*/g, ""));
  if (texts.length === 0) return [];
  const all = sources.map(({ text }) => text);
  const endpoint =
    all.map((text) => ENDPOINT.exec(text)?.[1]).find((one) => one !== undefined) ??
    (all.some((text) => /\bstartStandaloneServer\(/.test(text)) ? "/" : "/graphql");
  const types = new Map<string, Field[]>();
  for (const text of texts)
    for (const [, , name = "", inside = ""] of text.matchAll(TYPE)) {
      const fields = [...inside.matchAll(FIELD)].map(([, called = "", args = "", , type = ""]) => ({ name: called, args, type })); // prettier-ignore
      types.set(name, [...(types.get(name) ?? []), ...fields]);
    }
  const isScalar = (type: string) => SCALARS.test(type) || !types.has(type);

  /** The selected fields of a type: its own, and those of the types it refers to. */
  function selection(type: string, depth = 0): string {
    if (isScalar(type)) return "";
    const parts = (types.get(type) ?? []).slice(0, MOST_FIELDS).flatMap(({ name, type: one, args }) => {
      if (args.includes("!")) return [];
      if (isScalar(one)) return [name];
      return depth < 2 ? [`${name} ${selection(one, depth + 1)}`] : [];
    }); // prettier-ignore
    return parts.length === 0 ? "{ __typename }" : `{ ${parts.join(" ")} }`;
  }

  return (["Query", "Mutation"] as const).flatMap((root) =>
    (types.get(root) ?? []).map(({ name, args, type }): Procedure => {
      const takes = new Map<string, Kind>();
      /** Fields of an input object: `createNote(input: CreateNote!)`. */
      const within = new Map<string, string>();
      for (const [, arg = "", list = "", type = ""] of args.matchAll(ARGUMENT))
        if (isScalar(type)) takes.set(arg, list === "[" ? "list" : kindOf(type));
        else
          for (const inside of types.get(type) ?? [])
            if (isScalar(inside.type)) {
              takes.set(inside.name, kindOf(inside.type));
              within.set(inside.name, arg);
            }
      const isQuery = root === "Query";
      return {
        names: [name],
        isQuery,
        label: `${endpoint} ${name}`,
        takes,
        call(given) {
          const parts = new Map<string, string[]>();
          for (const [arg, value] of Object.entries((given ?? {}) as Record<string, unknown>)) {
            const key = within.get(arg) ?? "";
            parts.set(key, [...(parts.get(key) ?? []), `${arg}: ${JSON.stringify(value)}`]);
          }
          const fields = [...parts].map(([key, list]) => key === "" ? list.join(", ") : `${key}: { ${list.join(", ")} }`).join(", "); // prettier-ignore
          const query = `${root.toLowerCase()} { ${name}${fields === "" ? "" : `(${fields})`} ${selection(type)} }`;
          return {
            method: isQuery ? "GET" : "POST",
            path: isQuery ? `${endpoint}?query=${encodeURIComponent(query)}` : endpoint,
            body: isQuery ? undefined : JSON.stringify({ query }),
            read(answer) {
              try {
                const { data } = JSON.parse(answer.text) as { data?: Record<string, unknown> | null };
                const value = data?.[name] ?? null;
                const status = value === null ? 403 : answer.status;
                return { ...answer, status, text: JSON.stringify(value) };
              } catch {
                return { ...answer, status: 400, text: "" };
              }
            },
          }; // prettier-ignore
        },
      };
    }),
  );
}

const kindOf = (type: string): Kind =>
  type === "Int" || type === "Float" ? "number" : type === "Boolean" ? "boolean" : "text";
