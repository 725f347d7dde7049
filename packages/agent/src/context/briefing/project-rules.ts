import type { ProjectPath } from "@treadle/protocol";
import { offThread } from "@treadle/parsing";
import { toProjectPath } from "@treadle/protocol/project-path";
import type { Workspace } from "@treadle/workspace";
import type { IsAccepted } from "../../trust/protected-files.ts";
import { clipMiddle } from "../../text/clip.ts";
import { decodeText } from "../../text/decode-text.ts";
import type { parse } from "./rule-text.parser.ts";
import type { Rule } from "./types.ts";

/**
 * Files and folders in which projects keep rules for agents, by the names that different tools use.
 */
const FILES = ["AGENTS.md", ".clinerules", ".cursorrules", ".windsurfrules", ".bolt/prompt"].map(
  toProjectPath,
);
const FOLDERS = [".clinerules", ".cursor/rules"].map(toProjectPath);

/** Limits for one file and for all files together, in characters. */
const EACH = 8_000;
const ALL = 16_000;
/** Maximum files per folder, and bytes per file. */
const COUNT = 30;
const BYTES = 64_000;

/** A rules file with the part of it that the model receives. */
export interface FoundRule extends Rule {
  path: ProjectPath;
  /** Size of the rules in the file, in characters. */
  size: number;
  /**
   * `told`: in full; `cut`: in part; `name`: by name only. Withheld: `off` was switched off by the
   * person, `other` matches no file, `same` repeats an earlier file, `room` exceeds the total
   * limit, and `changed` was written by someone else and not accepted yet.
   */
  state: "told" | "cut" | "name" | "off" | "other" | "same" | "room" | "changed";
}

/** Time limit for one file: a hostile front matter or pattern could take arbitrarily long. */
const LIMIT_MS = 3_000;
const ruleText = offThread<typeof parse>(import.meta.url, "./rule-text.parser.ts", {
  limitMs: LIMIT_MS,
});

/**
 * Returns every rules file of a project, in a fixed order. Unreadable and empty files are left out.
 * @param paths the project's files, against which file patterns are matched
 * @param off files that the person switched off
 * @param isAccepted whether a version may be shown to the model; default: all (A24)
 */
export async function findRules(
  { files }: Workspace,
  paths: readonly ProjectPath[],
  off: readonly string[] = [],
  isAccepted: IsAccepted = () => true,
): Promise<FoundRule[]> {
  const found: FoundRule[] = [];
  let left = ALL;
  const folders = (await Promise.all(FOLDERS.map(inFolder(files)))).flat();
  for (const path of [...FILES, ...folders, ...nestedRules(paths)]) {
    const read = await readText(files, path);
    if (read === undefined || read.text.trim() === "") continue;
    const { text, version } = read;
    const at = { path, size: text.length };
    const rules = await ruleText({ lane: "rules" }, text, path, paths).catch(() => "");
    if (off.includes(path)) found.push({ ...at, text: "", state: "off" });
    else if (!isAccepted(path, version)) found.push({ ...at, text: "", state: "changed" });
    else if (rules === "") found.push({ ...at, text: "", state: "other" });
    else if (found.some((rule) => rule.text === rules))
      found.push({ ...at, text: "", state: "same" });
    else if (left <= 0) found.push({ ...at, text: "", state: "room" });
    else {
      const clipped = clipMiddle(rules, Math.min(EACH, left), `read ${path} for all of it`);
      left -= rules.length;
      const named = rules.startsWith(`(read ${path} `);
      found.push({
        ...at,
        text: clipped,
        state: named ? "name" : clipped === rules ? "told" : "cut",
      });
    }
  }
  return found;
}

/** The rules that apply to a project, as the model receives them. */
export async function projectRules(
  workspace: Workspace,
  paths: readonly ProjectPath[],
  off?: readonly string[],
  isAccepted?: IsAccepted,
): Promise<Rule[]> {
  const found = await findRules(workspace, paths, off, isAccepted);
  return found.filter(({ text }) => text !== "").map(({ path, text }) => ({ path, text }));
}

/** Finds the `AGENTS.md` files of folders, the outermost first. */
function nestedRules(paths: readonly ProjectPath[]): ProjectPath[] {
  const depth = (path: string) => path.split("/").length;
  return paths
    .filter((path) => path.endsWith("/AGENTS.md"))
    .toSorted((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1))
    .slice(0, COUNT);
}

const inFolder = (files: Workspace["files"]) => async (folder: ProjectPath) => {
  try {
    const listed = await files.list({ under: folder, limit: 200 });
    return listed.files
      .filter(({ path, kind }) => kind === "file" && /\.(?:md|mdc|txt)$/.test(path))
      .map(({ path }) => path)
      .filter((path) => path.startsWith(`${folder}/`))
      .sort()
      .slice(0, COUNT);
  } catch {
    // Most projects have no such folder.
    return [];
  }
};

async function readText(
  files: Workspace["files"],
  path: ProjectPath,
): Promise<{ text: string; version: string } | undefined> {
  try {
    const { bytes, version } = await files.read(path, { limit: BYTES });
    const text = decodeText(bytes);
    return text === undefined ? undefined : { text, version };
  } catch {
    return undefined;
  }
}
