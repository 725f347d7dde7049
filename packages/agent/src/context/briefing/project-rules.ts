import type { ProjectPath } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { matchesGlob } from "node:path";
import type { Workspace } from "@treadle/workspace";
import type { IsAccepted } from "../../trust/protected-files.ts";
import { frontMatter } from "../skills/front-matter.ts";
import { clipLine, clipMiddle } from "../../text/clip.ts";
import { visibleText } from "@treadle/protocol/safe-text";
import { decodeText } from "../../text/decode-text.ts";
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
    const told = ruleOf(text, path, paths);
    if (off.includes(path)) found.push({ ...at, text: "", state: "off" });
    else if (!isAccepted(path, version)) found.push({ ...at, text: "", state: "changed" });
    else if (told === "") found.push({ ...at, text: "", state: "other" });
    else if (found.some((rule) => rule.text === told))
      found.push({ ...at, text: "", state: "same" });
    else if (left <= 0) found.push({ ...at, text: "", state: "room" });
    else {
      const kept = clipMiddle(told, Math.min(EACH, left), `read ${path} for all of it`);
      left -= told.length;
      const named = told.startsWith(`(read ${path} `);
      found.push({ ...at, text: kept, state: named ? "name" : kept === told ? "told" : "cut" });
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

/** What a file says, as far as it holds here; empty where it does not. */
function ruleOf(text: string, path: string, paths: readonly ProjectPath[]): string {
  const { fields, body } = frontMatter(text);
  const said = visibleText(body).trim();
  const globs = globsOf(fields["paths"] ?? fields["globs"]);
  if (globs.length > 0) {
    const holds = globs.some((glob) => paths.some((file) => matchesGlob(file, glob)));
    return holds ? `(for ${clipLine(visibleText(globs.join(", ")), 200)})\n${said}` : "";
  }
  // Cursor's rules that are read when they are wanted.
  if (fields["alwaysApply"] === false)
    return typeof fields["description"] === "string"
      ? `(read ${path} where it matters: ${clipLine(visibleText(fields["description"]), 200)})`
      : "";
  if (said !== "" && path.endsWith("/AGENTS.md")) {
    const folder = visibleText(path.slice(0, -"AGENTS.md".length));
    return `(for files in ${folder} only; there it goes before rules of the folders above)\n${said}`;
  }
  return said;
}

function globsOf(value: unknown): string[] {
  const list = typeof value === "string" ? value.split(",") : Array.isArray(value) ? value : [];
  return list
    .filter((glob) => typeof glob === "string")
    .map((glob) => glob.trim())
    .filter((glob) => glob !== "" && glob.length <= 200)
    .map((glob) => (glob.includes("/") ? glob : `**/${glob}`))
    .slice(0, 20);
}
