import type { ProjectPath } from "@treadle/protocol";
import { offThread } from "@treadle/parsing";
import { toProjectPath } from "@treadle/protocol/project-path";
import type { Workspace } from "@treadle/workspace";
import type { IsAccepted } from "../../trust/protected-files.ts";
import { clipMiddle } from "../../text/clip.ts";
import { decodeText } from "../../text/decode-text.ts";
import type { parse } from "./rule-text.parser.ts";
import type { Rule } from "./types.ts";

/** Files and folders in which projects keep rules for agents, by the name that each tool gave them. */
const FILES = ["AGENTS.md", ".clinerules", ".cursorrules", ".windsurfrules", ".bolt/prompt"].map(
  toProjectPath,
);
const FOLDERS = [".clinerules", ".cursor/rules"].map(toProjectPath);

/** Characters of one file, and of all together. */
const EACH = 8_000;
const ALL = 16_000;
/** Files of one folder, and bytes of one file. */
const COUNT = 30;
const BYTES = 64_000;

/** One file of rules, and what of it the model is told. */
export interface FoundRule extends Rule {
  path: ProjectPath;
  /** Characters of the file. */
  size: number;
  /**
   * `told` whole, `cut`, by its `name` only; or not: switched `off` by the person, for `other` files than there are, the
   * `same` as one before it, because there was no more `room`, or because it was `changed` by who was not asked to, and
   * nobody has agreed to that yet.
   */
  state: "told" | "cut" | "name" | "off" | "other" | "same" | "room" | "changed";
}

/** Time to read one file. Its front matter and its patterns can be made to take longer than anybody waits. */
const LIMIT_MS = 3_000;
const ruleText = offThread<typeof parse>(import.meta.url, "./rule-text.parser.ts", {
  limitMs: LIMIT_MS,
});

/**
 * Every file of rules that a project brings, always in the same order. What cannot be read, or is empty, is left out.
 * @param paths the project's files: a rule for certain files holds where there is one of them
 * @param off files that the person switched off
 * @param isAccepted what is told of a file has to be this; default: anything is (A24)
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

/** The rules that hold for a project's files: what the model is told of them. */
export async function projectRules(
  workspace: Workspace,
  paths: readonly ProjectPath[],
  off?: readonly string[],
  isAccepted?: IsAccepted,
): Promise<Rule[]> {
  const found = await findRules(workspace, paths, off, isAccepted);
  return found.filter(({ text }) => text !== "").map(({ path, text }) => ({ path, text }));
}

/** `AGENTS.md` of folders, those further up first. */
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
    // Most projects have none.
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
