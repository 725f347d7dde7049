import type { Body } from "./person.ts";
import type { GateFile } from "../types.ts";

/** Valid values by field name, for fields whose values the sources restrict. */
export type FieldValues = ReadonlyMap<string, Body["fields"][string]>;

const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|html?|ejs|hbs|njk|py|sql|prisma|graphql)$/;
const NO_APP =
  /(?:^|\/)(?:tests?|__tests__|e2e|fixtures|mocks?|docs|node_modules)\/|\.(?:test|spec|stories)\.\w+$/;
const MOST_READ = 200_000;
const NAME = "(?<name>[A-Za-z_]\\w{0,40})";
const VALUE = "[\"'`](?<value>[\\w -]{1,40})[\"'`]";
/** One of several values: in a schema, a type, a table, a check, a form. */
const ONE_OF = [
  `\\b${NAME}["']?\\s{0,4}:\\s{0,4}(?:\\w{1,20}\\.){0,2}(?:[eE]num|picklist|oneOf|valid)\\(\\s{0,10}\\[?\\s{0,10}${VALUE}`,
  `\\b${NAME}\\s{0,4}:\\s{0,4}(?:\\w{1,10}\\.)?Literal\\[\\s{0,10}${VALUE}`,
  `\\b${NAME}\\??\\s{0,4}:\\s{0,10}\\|?\\s{0,10}${VALUE}\\s{0,10}\\|\\s{0,10}["']`,
  `\\bCHECK\\s{0,4}\\(\\s{0,4}"?${NAME}"?\\s{1,4}IN\\s{0,4}\\(\\s{0,4}${VALUE}`,
  `\\[\\s{0,10}${VALUE}[^\\[\\]]{0,300}\\]\\s{0,4}\\.includes\\(\\s{0,4}(?:\\w{1,20}\\.){0,3}${NAME}\\s{0,4}\\)`,
  `\\b${NAME}\\s{1,4}not\\s{1,4}in\\s{1,4}[([{]\\s{0,4}${VALUE}`,
  `<select\\b[^<>]{0,200}\\bname=["']${NAME}["'][^<>]{0,200}>[^]{0,200}?<option\\b[^<>]{0,100}\\bvalue=${VALUE}`,
].map((shape) => new RegExp(shape, "g"));
const TYPED = new RegExp(
  `\\b${NAME}["']?\\??\\s{0,4}(?::\\s{0,4}(?:\\w{1,10}\\.){0,2}(?:coerce\\.)?|\\s)(?<type>number|int|integer|float|decimal|real|numeric|double|boolean|bool|string|str|text|varchar)\\b`,
  "gi",
);

export function fieldValues(sources: readonly GateFile[]): FieldValues {
  const values = new Map<string, Body["fields"][string]>();
  const types = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    if (!CODE.test(path) || NO_APP.test(path)) continue;
    const read = text.slice(0, MOST_READ);
    for (const shape of ONE_OF)
      for (const { groups } of read.matchAll(shape)) {
        const { name = "", value = "" } = groups!;
        if (!values.has(name)) values.set(name, value);
      }
    for (const { groups } of read.matchAll(TYPED)) {
      const { name = "", type = "" } = groups!;
      types.set(name, (types.get(name) ?? new Set()).add(kindOf(type)));
    }
  }
  for (const [name, kinds] of types)
    if (kinds.size === 1 && !kinds.has("text") && !values.has(name))
      values.set(name, kinds.has("boolean") ? false : 1);
  return values;
}

const kindOf = (type: string) =>
  /^bool/i.test(type) ? "boolean" : /^(?:str|text|varchar)/i.test(type) ? "text" : "number";
