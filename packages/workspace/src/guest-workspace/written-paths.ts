import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProjectPath } from "@treadle/protocol";
import { fromDisk } from "../paths.ts";

/** Maximum number of recorded paths; beyond it, files are sources only by other rules. */
const PATHS_LIMIT = 500_000;

/**
 * Paths that the model or the person wrote through the host, which makes them sources in any folder (see
 * `sources/sources.ts`). Stored on the host, so that the project cannot claim it. One line per write or removal; a line
 * that was cut by a power failure is dropped.
 */
export function createWrittenPaths(stateDirectory: string) {
  const file = join(stateDirectory, "written-paths.jsonl");
  let known: Set<ProjectPath> | undefined;

  function all(): Set<ProjectPath> {
    if (known) return known;
    known = new Set();
    if (!existsSync(file)) return known;
    const lines = readFileSync(file, "utf8").split("\n");
    for (const line of lines) {
      const change = readLine(line);
      if (!change) continue;
      if (change.isRemoved) forget(known, change.path);
      else known.add(change.path);
    }
    // The file is twice as long as necessary, or was cut: it is rewritten.
    if (lines.length > 2 * known.size + 100 || lines.at(-1) !== "") writeAll(known);
    return known;
  }

  function writeAll(paths: ReadonlySet<ProjectPath>): void {
    writeFileSync(`${file}.new`, [...paths].map((path) => lineOf("+", path)).join(""));
    renameSync(`${file}.new`, file);
  }

  return {
    list: (): ProjectPath[] => [...all()],
    has: (path: ProjectPath): boolean => all().has(path),
    hasBelow: (folder: ProjectPath): boolean =>
      [...all()].some((path) => path.startsWith(`${folder}/`)),
    add(path: ProjectPath): void {
      const paths = all();
      if (paths.has(path) || paths.size >= PATHS_LIMIT) return;
      appendFileSync(file, lineOf("+", path));
      paths.add(path);
    },
    /** Removes a file, or a folder with its content. */
    remove(path: ProjectPath): void {
      if (forget(all(), path)) appendFileSync(file, lineOf("-", path));
    },
  };
}

/** @returns whether any path was removed */
function forget(paths: Set<ProjectPath>, path: ProjectPath): boolean {
  let gone = paths.delete(path);
  for (const one of paths) if (one.startsWith(`${path}/`)) gone = paths.delete(one) || gone;
  return gone;
}

const lineOf = (sign: "+" | "-", path: ProjectPath) => `${sign}${JSON.stringify(path)}\n`;

function readLine(line: string): { isRemoved: boolean; path: ProjectPath } | undefined {
  if (!/^[+-]"/.test(line)) return undefined;
  try {
    const path: unknown = JSON.parse(line.slice(1));
    return typeof path === "string" && path !== ""
      ? { isRemoved: line.startsWith("-"), path: fromDisk(path) }
      : undefined;
  } catch {
    return undefined;
  }
}
