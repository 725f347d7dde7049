import type { ProjectPath } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { parseMentions, writeMention } from "@treadle/protocol/mentions";

/** Folder for the person's files. */
export const UPLOAD_FOLDER = "data/";

/** Maximum number of items mentioned one by one; more are mentioned by their folders. */
const MAX_MENTIONS = 10;
/** Maximum characters of a name, well below the limit of file systems even with a number appended. */
const MAX_NAME_CHARS = 60;

/**
 * A path that is valid on every system and in every mention, as close as possible to the person's name.
 * @param under the target folder with a trailing `/`; empty for the project's root
 */
export function placeFor(path: string, under = UPLOAD_FOLDER): ProjectPath {
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
  return [...stem].slice(0, MAX_NAME_CHARS).join("") + ending;
}

/** The first free name of `a.csv`, `a-2.csv`, …. */
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

/**
 * Appends mentions of the attached files to the message, or, for more than `MAX_MENTIONS`, of their folders. Skips
 * those that it already mentions.
 */
export function withMentions(text: string, paths: readonly ProjectPath[]): string {
  const each = paths.map((path) => writeMention(path));
  const folders = new Set(paths.map((path) => path.slice(0, path.lastIndexOf("/") + 1)));
  const few = each.length <= MAX_MENTIONS && !each.includes(undefined);
  const all = few ? each : [...folders].map((folder) => writeMention(folder));
  const mentions =
    all.length <= MAX_MENTIONS && !all.includes(undefined) ? all : [`@${UPLOAD_FOLDER}`];
  const mentioned = new Set(parseMentions(text).map((one) => one.text));
  const missing = mentions.filter((one) => !mentioned.has(one!));
  return missing.length === 0 ? text : `${text}\n\n${missing.join(" ")}`;
}
