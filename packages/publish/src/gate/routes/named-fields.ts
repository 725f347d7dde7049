import type { GateFile } from "../types.ts";

/** Field names by the name of their schema. */
export type NamedFields = ReadonlyMap<string, readonly string[]>;

const MOST_NAMES = 300;
/** Characters after a route in which its schema is searched. */
const NEAR = 500;
/** `const Note = z.object({ title: z.string(), … })`, and the same of other libraries. */
const SCHEMA =
  /\b(?:const|let|var)\s{1,4}(\w{1,60})\s{0,4}(?::[^=\n]{0,80})?=\s{0,4}(?:\w{1,10}\.)?(?:strict)?object\(\s{0,10}\{([^]{1,1500}?)\n?\}\s{0,4}\)/gi;
const MEMBER = /(?:^|,|\{)\s{0,40}["']?([a-z]\w{0,40})["']?\s{0,4}:/gim;
/** Pydantic's `class Note(BaseModel):`, with its lines. */
const CLASS = /^class[ \t]{1,4}(\w{1,60})\([^()\n]{1,200}\):[^\n]{0,200}\n((?:[ \t]{1,20}[^\n]{0,300}\n|[ \t]{0,20}\n){1,60})/gm; // prettier-ignore
const LINE = /^[ \t]{1,8}([a-z]\w{0,40})[ \t]{0,4}:/gm;

export function namedFields(files: readonly GateFile[]): NamedFields {
  const known = new Map<string, string[]>();
  const add = (name: string, inside: string, shape: RegExp) => {
    const fields = [...inside.matchAll(shape)].map(([, field = ""]) => field);
    if (fields.length > 0 && known.size < MOST_NAMES) known.set(name, [...new Set(fields)]);
  };
  for (const { path, text } of files)
    if (path.endsWith(".py"))
      for (const [, name = "", inside = ""] of `${text}\n`.matchAll(CLASS)) add(name, inside, LINE);
    else for (const [, name = "", inside = ""] of text.matchAll(SCHEMA)) add(name, inside, MEMBER);
  return known;
}

/** The fields of the schemas that a handler names. */
export const fieldsNamed = (near: string, known: NamedFields): string[] =>
  known.size === 0
    ? []
    : (near.slice(0, NEAR).match(/\b[A-Za-z_]\w{1,60}/g) ?? []).flatMap(
        (word) => known.get(word) ?? [],
      );
