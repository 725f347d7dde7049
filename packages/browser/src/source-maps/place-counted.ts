import type { RanFile } from "@treadle/protocol/checks";
import type { ProjectPath } from "@treadle/protocol";
import { isOutputFolder, type CountedScript } from "@treadle/workspace";
import { placeFunctions } from "./place-functions.ts";
import { mapReference, readMap } from "./place-problems.ts";
import type { ReadSource } from "./place-in-file.ts";

/** The source positions of functions in scripts. */
export interface PlacedScripts {
  files: RanFile[];
  /** Source files of a script in which none of their functions was found. */
  unclear: Set<ProjectPath>;
  /** Whether a script ran that was built from unknown files. */
  hasUnmapped: boolean;
}

/**
 * Finds the functions that a server ran in the project's source files.
 * @param paths the files in question
 * @param source reads the project's files, including build output
 */
export async function placeCounted(
  scripts: readonly CountedScript[],
  paths: ReadonlySet<ProjectPath>,
  source: ReadSource,
): Promise<PlacedScripts> {
  /**
   * Output folders of builds and tools, divided by whether they contain maps: a tool that writes maps writes them for
   * all its output.
   */
  const mapping = new Set<string>();
  const notMapping = new Set<string>();
  const files: RanFile[] = [];
  const unclear = new Set<ProjectPath>();
  const load = (path: string) => source(decodeURI(path.slice(1)));
  for (const { path, isMapped, text, places } of scripts) {
    const tool = path.split("/", 1)[0]!;
    if (isMapped) mapping.add(tool);
    // A script that only loads another one has no function of its own.
    else if (places.length > (text === "" ? 0 : 3) && isMade(path)) notMapping.add(tool);
    if (text === "") continue;
    const functions = Array.from({ length: Math.floor(places.length / 3) }, (_, index) => ({
      start: places[index * 3]!,
      end: places[index * 3 + 1]!,
      ran: places[index * 3 + 2] === 1,
    }));
    const reference = mapReference(text);
    // Node strips types without moving code.
    if (reference === undefined && paths.has(path as ProjectPath)) {
      files.push(inPlace(path as ProjectPath, text, functions));
      continue;
    }
    if (reference === undefined) continue;
    const address = addressOf(path);
    const placed = await placeFunctions({ path: address, text, functions }, paths, load, source);
    files.push(...placed);
    const found = new Set(placed.map((file) => file.path));
    const map = await readMap(reference, address, load);
    for (const one of paths)
      if (!found.has(one) && map.includes(one.slice(one.lastIndexOf("/") + 1))) unclear.add(one);
  }
  return { files, unclear, hasUnmapped: [...notMapping].some((tool) => !mapping.has(tool)) };
}

/** Whether a build or a tool wrote the file, judged by its folder. */
const isMade = (path: string): boolean =>
  /^webpack-internal:|(?:^|\/)\./.test(path) || isOutputFolder(path.split("/", 1)[0]!);

/** The file's path as an address of the app, relative to which its map is found. */
const addressOf = (path: string): string =>
  path.startsWith("webpack-internal:")
    ? "/"
    : `/${path.split("/").map(encodeURIComponent).join("/")}`;

function inPlace(
  path: ProjectPath,
  text: string,
  functions: readonly { start: number; end: number; ran: boolean }[],
): RanFile {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const lineOf = (offset: number) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    path,
    functions: functions
      .filter(({ start, end }) => start > 0 || end < text.length)
      .map(({ start, ran }) => {
        const line = lineOf(start);
        return { line: line + 1, column: start - starts[line]!, ran };
      }),
  };
}
