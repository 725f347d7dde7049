import { matchesGlob } from "node:path";
import type { Workspace } from "@treadle/workspace";
import { frontMatter } from "../skills/front-matter.ts";
import { clipLine, clipMiddle } from "../text/clip.ts";
import { visible } from "../text/visible.ts";
import { decodeText } from "../tools/text-file.ts";
import type { Rule } from "./types.ts";

/** Files and folders in which projects keep rules for agents, by the name that each tool gave them. */
const FILES = ["AGENTS.md", ".clinerules", ".cursorrules", ".windsurfrules", ".bolt/prompt"];
const FOLDERS = [".clinerules", ".cursor/rules"];

/** Characters of one file, and of all together. */
const EACH = 8_000;
const ALL = 16_000;
/** Files of one folder, and bytes of one file. */
const COUNT = 30;
const BYTES = 64_000;

/**
 * The rules that a project brings and that hold for its files, always in the same order. What cannot be read is left
 * out; the same text under two names counts once.
 * @param paths the project's files: a rule for certain files holds where there is one of them
 */
export async function projectRules(
  { files }: Workspace,
  paths: readonly string[],
): Promise<Rule[]> {
  const rules: Rule[] = [];
  let left = ALL;
  for (const path of [...FILES, ...(await Promise.all(FOLDERS.map(inFolder(files)))).flat()]) {
    const text = await textOf(files, path);
    const told = text === undefined ? "" : ruleOf(text, path, paths);
    if (told === "" || rules.some((rule) => rule.text === told)) continue;
    const kept = clipMiddle(told, Math.min(EACH, left), `read ${path} for all of it`);
    left -= told.length;
    rules.push({ path, text: kept });
    if (left <= 0) break;
  }
  return rules;
}

const inFolder = (files: Workspace["files"]) => async (folder: string) => {
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

async function textOf(files: Workspace["files"], path: string): Promise<string | undefined> {
  try {
    return decodeText((await files.read(path, { limit: BYTES })).bytes);
  } catch {
    return undefined;
  }
}

/** What a file says, as far as it holds here; empty where it does not. */
function ruleOf(text: string, path: string, paths: readonly string[]): string {
  const { fields, body } = frontMatter(text);
  const said = visible(body).trim();
  const globs = globsOf(fields["paths"] ?? fields["globs"]);
  if (globs.length > 0) {
    const holds = globs.some((glob) => paths.some((file) => matchesGlob(file, glob)));
    return holds ? `(for ${clipLine(visible(globs.join(", ")), 200)})\n${said}` : "";
  }
  // Cursor's rules that are read when they are wanted.
  if (fields["alwaysApply"] === false)
    return typeof fields["description"] === "string"
      ? `(read ${path} where it matters: ${clipLine(visible(fields["description"]), 200)})`
      : "";
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
