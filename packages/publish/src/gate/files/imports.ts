import { posix } from "node:path";
import type { GateFile } from "../types.ts";

const IMPORTED =
  /(?:\bimport\s+(?:(\w+)\s{0,10},?\s{0,10})?(?:\{([^}]{1,300})\}|\*\s{1,10}as\s{1,10}(\w+))?\s{0,10}from\s+|\b(?:const|let|var)\s+(?:(\w+)|\{([^}]{1,300})\})\s*=\s*require\(\s*)["']((?:\.{1,2}|@)\/[^"']{1,200})["']/g;
/** `export * from "./parts.js"`. */
const HANDED_ON =
  /\bexport\s+(?:\*|\{([^}]{1,300})\})\s{0,10}from\s+["']((?:\.{1,2}|@)\/[^"']{1,200})["']/g;
/** Python's `from .parts import HEAD, TAIL as end` and `import app.parts as parts`. */
const PYTHON =
  /^[ \t]{0,40}(?:from[ \t]{1,4}(\.{0,5}[\w.]{0,100})[ \t]{1,4}import[ \t]{1,4}(?:\(([^()]{1,1000})\)|([^\n#()]{1,500}))|import[ \t]{1,4}([\w.]{1,100})(?:[ \t]{1,4}as[ \t]{1,4}(\w{1,60}))?)/gm;
/** `HEAD as START` and `HEAD: START`. */
const RENAMED = /^(?:type\s+)?(\w+)(?:\s*:\s*|\s+as\s+)/;

/** A name that a file imports from another file of the project. */
export interface Imported {
  name: string;
  /** Its name in that file; undefined for the whole module. */
  there?: string | undefined;
  file: string;
}

/** The imports between files of a project. */
export interface Imports {
  importsIn(file: GateFile): Imported[];
  /** The names that a file re-exports from others. An empty name stands for all names. */
  handedOn(file: GateFile): Imported[];
  /**
   * The file to which an import refers; undefined if it is not one of the project's.
   * @param specifier as written in the file `by`
   */
  find(specifier: string, by: string): string | undefined;
}

export function importsOf(files: readonly GateFile[]): Imports {
  const paths = files.map(({ path }) => path);
  const byName = new Map(paths.map((path) => [withoutEnding(path), path]));
  const known = new Set(paths);
  const modules = new Map(
    paths
      .filter((path) => path.endsWith(".py"))
      .map((path) => [path.replace(/(?:(?:^|\/)__init__)?\.py$/, ""), path]),
  );
  const find = (specifier: string, by: string) =>
    placesOf(specifier, by)
      .map((path) => (known.has(path) ? path : byName.get(withoutEnding(path))))
      .find((path) => path !== undefined);

  function inPython({ path, text }: GateFile): Imported[] {
    const findModule = (specifier: string) =>
      modulePlaces(specifier, path)
        .map((one) => modules.get(one))
        .find((one) => one !== undefined);
    return [...text.matchAll(PYTHON)].flatMap(([, from, inside, line, one, as]): Imported[] => {
      if (one !== undefined) {
        const file = findModule(one);
        return file === undefined ? [] : [{ name: as ?? one.replace(/^.*\./, ""), file }];
      }
      const there = findModule(from!);
      return partsOf(inside ?? line ?? "").flatMap((part): Imported[] => {
        const called = /^\w+/.exec(part)?.[0] ?? part;
        const name = part.replace(/^.*\bas\s+/, "");
        const module = findModule(from!.endsWith(".") ? from! + called : `${from}.${called}`);
        if (module !== undefined) return [{ name, file: module }];
        if (there === undefined) return [];
        return [part === "*" ? { name: "", file: there } : { name, there: called, file: there }];
      });
    });
  }

  return {
    find,
    importsIn(source) {
      const { path, text } = source;
      if (path.endsWith(".py")) return inPython(source);
      const found: Imported[] = [];
      for (const [, one, many, all, other, others, specifier = ""] of text.matchAll(IMPORTED)) {
        const file = find(specifier, path);
        if (file === undefined) continue;
        for (const name of [one, all, other]) if (name) found.push({ name, file });
        for (const part of partsOf(many ?? others ?? "")) found.push(named(part, file));
      }
      return found;
    },
    handedOn(source) {
      const { path, text } = source;
      if (path.endsWith(".py")) return inPython(source);
      return [...text.matchAll(HANDED_ON)].flatMap(([, many, specifier = ""]): Imported[] => {
        const file = find(specifier, path);
        if (file === undefined) return [];
        return many === undefined
          ? [{ name: "", file }]
          : partsOf(many).map((part) => named(part, file));
      });
    },
  };
}

const partsOf = (list: string) =>
  list
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");

const named = (part: string, file: string): Imported => {
  const name = part.replace(/^.*\b(?:as\s+|:\s*)/, "");
  return { name, there: RENAMED.exec(part)?.[1] ?? name, file };
};

/** Possible paths of an import. `@/lib/keys` is relative to the sources' folder, in all templates with that alias. */
function placesOf(specifier: string, by: string): string[] {
  if (!specifier.startsWith("@/")) return [posix.join(posix.dirname(by), specifier)];
  const path = posix.join(specifier.slice(2));
  const above = /^(?:.*\/)?src\//.exec(by)?.[0] ?? "";
  return [`${above}${path}`, `src/${path}`];
}

/**
 * Possible paths of a Python module: next to the file and in each folder above it. With leading dots
 * there is one: a dot is the file's folder, and each further dot goes up one.
 */
function modulePlaces(specifier: string, by: string): string[] {
  const [, dots = "", rest = ""] = /^(\.*)(.*)$/.exec(specifier) ?? [];
  const path = rest.replaceAll(".", "/");
  const folders = by.split("/").slice(0, -1);
  if (dots !== "")
    return [posix.join(...folders.slice(0, folders.length - dots.length + 1), path).replace(/^\.$/, "")]; // prettier-ignore
  return folders
    .map((_, at) => folders.length - at)
    .concat(0)
    .map((depth) => [...folders.slice(0, depth), path].join("/"));
}

const withoutEnding = (path: string) => path.replace(/(?:\/index)?\.[cm]?[jt]sx?$|\/index$/, "");
