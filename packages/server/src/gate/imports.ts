import { posix } from "node:path";
import type { GateFile } from "./types.ts";

const IMPORTED =
  /(?:\bimport\s+(?:(\w+)\s{0,10},?\s{0,10})?(?:\{([^}]{1,300})\}|\*\s{1,10}as\s{1,10}(\w+))?\s{0,10}from\s+|\b(?:const|let|var)\s+(?:(\w+)|\{([^}]{1,300})\})\s*=\s*require\(\s*)["']((?:\.{1,2}|@)\/[^"']{1,200})["']/g;
/** `HEAD as START` and `HEAD: START`. */
const RENAMED = /^(?:type\s+)?(\w+)(?:\s*:\s*|\s+as\s+)/;

/** A name that a file has from another file of the project. */
export interface Imported {
  name: string;
  /** What that file calls it; undefined of what it is as a whole. */
  there?: string | undefined;
  file: string;
}

/** How files of a project name each other. */
export interface Imports {
  of(file: GateFile): Imported[];
  /** @param said as an import says it, relative to the file that says it */
  find(said: string, by: string): string | undefined;
}

export function importsOf(files: readonly GateFile[]): Imports {
  const byName = new Map(files.map(({ path }) => [withoutEnding(path), path]));
  const find = (said: string, by: string) =>
    placesOf(said, by)
      .map((path) => byName.get(withoutEnding(path)))
      .find((path) => path !== undefined);
  return {
    find,
    of({ path, text }) {
      const found: Imported[] = [];
      for (const [, one, many, all, other, others, said = ""] of text.matchAll(IMPORTED)) {
        const file = find(said, path);
        if (file === undefined) continue;
        for (const name of [one, all, other]) if (name) found.push({ name, file });
        for (const part of (many ?? others ?? "").split(",").map((each) => each.trim())) {
          const name = part.replace(/^.*\b(?:as\s+|:\s*)/, "");
          if (name) found.push({ name, there: RENAMED.exec(part)?.[1] ?? name, file });
        }
      }
      return found;
    },
  };
}

/** `@/lib/keys` is below the sources' folder, in all templates that have it. */
function placesOf(said: string, by: string): string[] {
  if (!said.startsWith("@/")) return [posix.join(posix.dirname(by), said)];
  const path = posix.join(said.slice(2));
  const above = /^(?:.*\/)?src\//.exec(by)?.[0] ?? "";
  return [`${above}${path}`, `src/${path}`];
}

const withoutEnding = (path: string) => path.replace(/(?:\/index)?\.[cm]?[jt]sx?$|\/index$/, "");
