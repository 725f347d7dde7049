import type { ProjectPath } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { parseMentions, writeMention } from "@treadle/protocol/mentions";

/** Where files that a person gives are put. */
export const PLACE = "data/";

/** Things that a message points at one by one; more are pointed at by their folders. */
const POINTED_AT = 10;
/** Characters of a name that are kept: some hundred bytes below what a file system takes, with a number behind it. */
const NAME = 60;

/**
 * A path that every system and every mention can hold, as near as can be to what the person called it.
 * @param under where it is put, with a `/` at its end; empty: the project's own folder
 */
export function placeFor(path: string, under = PLACE): ProjectPath {
  const parts = path
    .split("/")
    .map(plainName)
    .filter((part) => part !== "");
  return toProjectPath(under + (parts.join("/") || "file"));
}

function plainName(name: string): string {
  const plain = name
    .normalize("NFC")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\:*?"<>|`]|%(?=[0-9a-f]{2})/giu, "-")
    .trim()
    .replace(/[. ]+$/u, "");
  const { stem, ending } = partsOf(plain);
  return [...stem].slice(0, NAME).join("") + ending;
}

/** The first of `a.csv`, `a-2.csv`, … that is not taken. */
export function freeName(path: ProjectPath, taken: ReadonlySet<ProjectPath>): ProjectPath {
  if (!taken.has(path)) return path;
  const { stem, ending } = partsOf(path);
  for (let number = 2; ; number++) {
    const next = toProjectPath(`${stem}-${number}${ending}`);
    if (!taken.has(next)) return next;
  }
}

function partsOf(path: string): { stem: string; ending: string } {
  const ending = /[^/](\.\w{1,12})$/u.exec(path)?.[1] ?? "";
  return { stem: path.slice(0, path.length - ending.length), ending };
}

/** The message, pointing at the files that came with it: what it names already is not named again. */
export function pointingAt(text: string, paths: readonly ProjectPath[]): string {
  const each = paths.map((path) => writeMention(path));
  const folders = new Set(paths.map((path) => path.slice(0, path.lastIndexOf("/") + 1)));
  const few = each.length <= POINTED_AT && !each.includes(undefined);
  const all = few ? each : [...folders].map((folder) => writeMention(folder));
  const mentions = all.length <= POINTED_AT && !all.includes(undefined) ? all : [`@${PLACE}`];
  const mentioned = new Set(parseMentions(text).map((one) => one.text));
  const missing = mentions.filter((one) => !mentioned.has(one!));
  return missing.length === 0 ? text : `${text}\n\n${missing.join(" ")}`;
}
