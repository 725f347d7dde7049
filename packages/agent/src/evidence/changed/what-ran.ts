import { posix } from "node:path";
import type { Finding, ProjectPath } from "@treadle/protocol";
import type { CodeWatch, RanFile } from "../../ports/browser.ts";
import type { DataCopy } from "../../ports/data-copies.ts";
import type { TurnCode } from "./changed-lines.ts";
import { withoutEnding } from "./without-ending.ts";
import type { WrittenCode, WrittenFunction } from "./written-code.ts";

/** Maximum number of functions named. */
const NAMED = 20;
/** Maximum number of entries per file. */
const ENTRIES = 5_000;

/** For each observed file, the positions where functions begin, and whether they ran. */
type Ran = Map<ProjectPath, Map<string, Entry>>;
interface Entry {
  line: number;
  column: number;
  ran: boolean;
}

/** Records which of a turn's code runs while the app is observed. */
export interface CodeRecord {
  /** Starts a watch for one page. Given the span of a check, the code counts for the check as well. */
  watch(also?: CodeSpan): CodeWatch;
  /**
   * Records what the server of a copy ran since its start. For a check that ran in the copy all of
   * it counts, since code that runs once, at the start or the first request, serves every check.
   * Never rejects.
   */
  takeServer(copy: Pick<DataCopy, "workspace" | "ranCode">, also?: CodeSpan): Promise<void>;
  /** Begins to record what runs during one check. */
  span(): CodeSpan;
  /**
   * Functions that the turn wrote and that never ran, the largest first. A file that neither a page
   * nor the server loaded counts as not run if the server's record is complete and a loaded file
   * imports it.
   */
  neverRan(): Finding[];
  /**
   * Files of the turn that were not loaded, or with functions that did not run, and the names of
   * those.
   */
  missed(): { path: ProjectPath; names: string[] }[];
}

/** The code that ran during one check. */
export interface CodeSpan {
  add(files: readonly RanFile[]): void;
  /** Adds what the server ran. */
  addServer(ran: Ran): void;
  /**
   * Whether any code of the turn ran meanwhile; undefined if that is unknown, as for a file that no
   * page has loaded while the server's record is incomplete.
   */
  ranOfTurn(): boolean | undefined;
}

/**
 * Creates the record for a turn.
 * @param turn the lines that the turn wrote
 * @param code the parsed files; unreadable ones are left out
 * @param answered those that the framework serves by name, so that nothing imports them
 * @param given lines of functions that come from a template, which need not run
 */
export function recordCode(
  turn: TurnCode,
  code: ReadonlyMap<ProjectPath, WrittenCode>,
  answered: ReadonlySet<ProjectPath> = new Set(),
  given: ReadonlyMap<ProjectPath, ReadonlySet<number>> = new Map(),
): CodeRecord {
  const all: Ran = new Map();
  /** What the server of each copy ran, by its workspace. */
  const servers = new Map<unknown, Ran>();
  /** Whether the records of all servers asked so far are complete. */
  let knowsServers: boolean | undefined;
  const unclear = new Set<ProjectPath>();
  /**
   * Whether the file was certainly not loaded, although a loaded file imports it or the framework serves it by name.
   * Other files may be tests, scripts or settings. False where it is not known what the servers loaded.
   */
  const isUnloaded = (path: ProjectPath): boolean =>
    knowsServers === true &&
    !all.has(path) &&
    !unclear.has(path) &&
    (answered.has(path) ||
      [...code].some(([other, { imports }]) => all.has(other) && bringsIn(other, imports, path)));
  const paths: ReadonlySet<ProjectPath> = new Set(code.keys());
  return {
    watch: (also) => ({
      paths,
      onRan(files) {
        merge(all, files);
        also?.add(files);
      },
    }),
    async takeServer(copy, also) {
      const ran = await copy.ranCode?.(paths).catch(() => undefined);
      knowsServers = (knowsServers ?? true) && ran?.isWhole === true;
      if (!ran) return;
      for (const path of ran.unclear) unclear.add(path);
      merge(all, ran.files);
      const known: Ran = servers.get(copy.workspace) ?? new Map();
      servers.set(copy.workspace, known);
      merge(known, ran.files);
      also?.addServer(known);
    },
    span() {
      const during: Ran = new Map();
      let isKnown = false;
      return {
        add(files) {
          isKnown = true;
          merge(during, files);
        },
        addServer(ran) {
          for (const [path, entries] of ran) mergeFile(during, path, entries.values());
        },
        ranOfTurn() {
          if (!isKnown || turn.isMixed || code.size < turn.lines.size) return undefined;
          const did = [...code].some(([path, written]) =>
            ranWithin(written, turn.lines.get(path)!, during.get(path), all.get(path)),
          );
          if (did) return true;
          const isUnknown = (path: ProjectPath) => !all.has(path) && !isUnloaded(path);
          return [...paths].some(isUnknown) ? undefined : false;
        },
      };
    },
    neverRan() {
      const found: Missed[] = [];
      for (const [path, written] of code) {
        const lines = without(turn.lines.get(path)!, given.get(path));
        const entries = all.get(path);
        if (entries) found.push(...unrun(path, written, lines, entries));
        else if (isUnloaded(path)) found.push(...unloadedFile(path, written, lines));
      }
      // Error handlers need not run.
      return found
        .filter(({ isErrorHandler }) => !isErrorHandler)
        .toSorted((a, b) => b.size - a.size)
        .slice(0, NAMED)
        .map(({ name, path, line }) => ({
          code: "never-ran",
          subject: name,
          place: `${path}:${line}`,
        }));
    },
    missed: () =>
      [...code].flatMap(([path, written]) => {
        const entries = all.get(path);
        if (!entries) return [{ path, names: [] }];
        const found = unrun(path, written, turn.lines.get(path)!, entries);
        return found.length > 0 ? [{ path, names: found.map(({ name }) => name) }] : [];
      }),
  };
}

const without = (lines: ReadonlySet<number>, others: ReadonlySet<number> = new Set()) =>
  new Set([...lines].filter((line) => !others.has(line)));

function merge(into: Ran, files: readonly RanFile[]): void {
  for (const { path, functions } of files) mergeFile(into, path, functions);
}

function mergeFile(into: Ran, path: ProjectPath, functions: Iterable<Entry>): void {
  const known = into.get(path) ?? new Map<string, Entry>();
  into.set(path, known);
  for (const { line, column, ran } of functions) {
    const key = `${line}:${column}`;
    const before = known.get(key);
    if (before) before.ran ||= ran;
    else if (known.size < ENTRIES) known.set(key, { line, column, ran });
  }
}

/**
 * Whether one of a file's imports may refer to another file, compared by the end of the path, as
 * settings may define aliases.
 */
function bringsIn(importer: ProjectPath, imports: readonly string[], path: ProjectPath): boolean {
  const target = withoutEnding(path);
  const targets = [target, target.replace(/\/index$/, "")];
  return imports.some((name) => {
    const isRelative = name.startsWith(".");
    const from = isRelative
      ? posix.join(posix.dirname(importer), name)
      : name.replace(/^[^/]*\//, "");
    const plain = withoutEnding(from);
    return targets.some((one) =>
      isRelative ? one === plain : name.includes("/") && `/${one}`.endsWith(`/${plain}`),
    );
  });
}

interface Missed {
  name: string;
  path: string;
  line: number;
  size: number;
  isErrorHandler: boolean;
}

/** Functions with lines of the turn that never ran, except those nested in a listed one. */
function unrun(
  path: string,
  { functions }: WrittenCode,
  lines: ReadonlySet<number>,
  entries: ReadonlyMap<string, Entry>,
): Missed[] {
  const ran = statesOf(functions, entries);
  const isWithin = (one: WrittenFunction): boolean => {
    for (let at = one.parent; at !== undefined; at = functions[at]!.parent)
      if (ran[at] === false) return true;
    return false;
  };
  return functions.flatMap((one, index) => {
    if (ran[index] !== false || one.name === undefined || isWithin(one)) return [];
    if (!holds(lines, one)) return [];
    return [missedOf(path, one, one.name)];
  });
}

/**
 * A file that was not loaded is named by its largest function, which is the component if there is
 * one.
 */
function unloadedFile(
  path: string,
  { functions }: WrittenCode,
  lines: ReadonlySet<number>,
): Missed[] {
  const outer = functions.filter((one) => one.parent === undefined && holds(lines, one));
  const [largest] = outer.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const base = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  if (lines.size > 0 && /\.(?:vue|svelte)$/.test(path))
    return [{ name: base, path, line: 1, size: lines.size, isErrorHandler: false }];
  if (!largest) return [];
  const name = largest.name === undefined || largest.name === "default" ? base : largest.name;
  return [missedOf(path, largest, name)];
}

const missedOf = (path: string, one: WrittenFunction, name: string): Missed => ({
  name,
  path,
  line: one.line,
  size: sizeOf(one),
  isErrorHandler: one.isErrorHandler === true,
});

const sizeOf = ({ line, endLine }: WrittenFunction) => endLine - line + 1;

function holds(lines: ReadonlySet<number>, { line, endLine }: WrittenFunction): boolean {
  for (let at = line; at <= endLine; at++) if (lines.has(at)) return true;
  return false;
}

/**
 * Whether each function ran; undefined if unknown. Source maps give the beginning of a function, or
 * a position shortly before it on its line (the name of its variable).
 */
function statesOf(
  functions: readonly WrittenFunction[],
  entries: ReadonlyMap<string, Entry>,
): (boolean | undefined)[] {
  const nearest: ({ apart: number; ran: boolean } | undefined)[] = [];
  for (const { line, column, ran } of entries.values()) {
    let best: { index: number; apart: number } | undefined;
    for (const [index, one] of functions.entries()) {
      if (one.line !== line) continue;
      // A function may begin before its entry: with `async`, or with the name of a method.
      const apart = one.column >= column ? one.column - column : 1_000 + column - one.column;
      if (!best || apart < best.apart) best = { index, apart };
    }
    if (!best) continue;
    const known = nearest[best.index];
    if (!known || best.apart < known.apart) nearest[best.index] = { apart: best.apart, ran };
    else if (best.apart === known.apart) known.ran ||= ran;
  }
  return functions.map((_, index) => nearest[index]?.ran);
}

/**
 * Whether any of these lines ran during a check. Top-level lines run when the module is loaded,
 * which a server does earlier. A function without a record is assumed to have run, unless it is
 * nested in one that never ran, for which V8 reports no inner functions.
 */
function ranWithin(
  { functions, silentLines }: WrittenCode,
  lines: ReadonlySet<number>,
  during: ReadonlyMap<string, Entry> | undefined,
  ever: ReadonlyMap<string, Entry> | undefined,
): boolean {
  if (!ever) return false;
  const known = statesOf(functions, ever);
  const ran = statesOf(functions, during ?? new Map());
  for (const line of lines) {
    if (silentLines.has(line)) continue;
    const index = functions.findLastIndex((one) => one.line <= line && line <= one.endLine);
    if (index === -1 || ran[index] === true) return true;
    let around: number | undefined = index;
    while (around !== undefined && known[around] === undefined) around = functions[around]!.parent;
    if (around === undefined || (around !== index && known[around])) return true;
  }
  return false;
}
