import { isDeepStrictEqual } from "node:util";
import { merge } from "node-diff3";

/** How changes of the same lines are merged. */
export type MergeKind =
  /** Two changes of the same lines are a conflict. */
  | "lines"
  /** Values with different keys do not conflict. */
  | "json"
  /** Sections with different headings do not conflict. */
  | "sections";

export interface TextsToMerge {
  kind: MergeKind;
  ours: string;
  /** The common base of both; empty if it did not exist. */
  base: string;
  theirs: string;
}

const CONFLICT = Symbol("conflict");

/**
 * Merges two edits of one text.
 * @returns undefined if they conflict
 */
export function parse({ kind, ...texts }: TextsToMerge): string | undefined {
  return mergeLines(texts) ?? MERGES[kind](texts);
}

type Texts = Omit<TextsToMerge, "kind">;

const MERGES: Record<MergeKind, (texts: Texts) => string | undefined> = {
  lines: () => undefined,
  json: mergeJson,
  sections: mergeSections,
};

function mergeLines({ ours, base, theirs }: Texts): string | undefined {
  const { result, conflict } = merge(ours.split("\n"), base.split("\n"), theirs.split("\n"), {
    excludeFalseConflicts: true,
  });
  return conflict ? undefined : result.join("\n");
}

function mergeJson({ ours, base, theirs }: Texts): string | undefined {
  let merged: unknown;
  try {
    const values = [ours, base || "{}", theirs].map((text) => JSON.parse(text) as unknown);
    merged = mergeValues(values[0], values[1], values[2]);
  } catch {
    return undefined;
  }
  if (merged === CONFLICT) return undefined;
  const indent = /\n([ \t]+)\S/.exec(ours)?.[1];
  return JSON.stringify(merged, undefined, indent) + (ours.endsWith("\n") ? "\n" : "");
}

function mergeValues(ours: unknown, base: unknown, theirs: unknown): unknown {
  if (isDeepStrictEqual(ours, theirs) || isDeepStrictEqual(theirs, base)) return ours;
  if (isDeepStrictEqual(ours, base)) return theirs;
  if (!isObject(ours) || !isObject(theirs)) return CONFLICT;
  const former = isObject(base) ? new Map(Object.entries(base)) : new Map<string, unknown>();
  return mergeMaps(
    new Map(Object.entries(ours)),
    former,
    new Map(Object.entries(theirs)),
    mergeValues,
  );
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Merges by key, in the order of `ours`. Undefined means absent. */
function mergeMaps<Value>(
  ours: ReadonlyMap<string, Value>,
  base: ReadonlyMap<string, Value>,
  theirs: ReadonlyMap<string, Value>,
  mergeOne: (
    ours: Value | undefined,
    base: Value | undefined,
    theirs: Value | undefined,
  ) => unknown,
): object | typeof CONFLICT {
  const merged: [string, unknown][] = [];
  for (const key of new Set([...ours.keys(), ...theirs.keys()])) {
    const value = mergeOne(ours.get(key), base.get(key), theirs.get(key));
    if (value === CONFLICT) return CONFLICT;
    if (value !== undefined) merged.push([key, value]);
  }
  // Unlike an assignment, this makes an ordinary property of `__proto__` as well.
  return Object.fromEntries(merged);
}

/** Merges sections by heading; undefined if they conflict, or if a text has a heading twice. */
function mergeSections({ ours, base, theirs }: Texts): string | undefined {
  const sections = [ours, base, theirs].map(sectionsOf);
  const [own, former, other] = sections;
  if (!own || !former || !other) return undefined;
  const merged = mergeMaps(own, former, other, mergeValues);
  if (merged === CONFLICT) return undefined;
  return Object.values(merged).filter(Boolean).join("\n\n") + "\n";
}

function sectionsOf(text: string): Map<string, string> | undefined {
  // The key is not an integer, since objects list integer keys first.
  const sections = new Map<string, string>();
  let heading = "#";
  let lines: string[] = [];
  const close = () => {
    if (sections.has(heading)) return false;
    sections.set(heading, lines.join("\n").trim());
    return true;
  };
  for (const line of text.split("\n")) {
    if (/^#{1,6}\s/.test(line)) {
      if (!close()) return undefined;
      heading = line.trim();
      lines = [];
    }
    lines.push(line);
  }
  return close() ? sections : undefined;
}
