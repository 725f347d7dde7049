import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseSkill, type Personal } from "@treadle/agent";

/** Limits: characters of all rules together, bytes of one file, files of one folder. */
export const RULES = 16_000;
const BYTES = 64_000;
const COUNT = 40;

/**
 * Reads the person's rules and skills for all projects: `rules.md`, `rules/*.md` and
 * `skills/<name>/SKILL.md` in the data folder. Read anew for each run, so that changes apply at
 * once. Missing files are skipped.
 */
export async function readPersonal(dataDirectory: string): Promise<Personal> {
  const named = (await names(join(dataDirectory, "rules"))).filter((name) => name.endsWith(".md"));
  const rules: Personal["rules"] = [];
  let left = RULES;
  for (const path of ["rules.md", ...named.map((name) => `rules/${name}`)]) {
    const text = (await textOf(join(dataDirectory, path))).trim().slice(0, left);
    left -= text.length;
    if (text !== "") rules.push({ path, text });
  }
  const skills: Personal["skills"] = [];
  for (const name of await names(join(dataDirectory, "skills"))) {
    const text = await textOf(join(dataDirectory, "skills", name, "SKILL.md"));
    const skill = text === "" ? undefined : await parseSkill(text, name);
    if (skill && !skills.some((other) => other.name === skill.name)) skills.push(skill);
  }
  return { rules, skills };
}

async function names(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort().slice(0, COUNT);
  } catch {
    return [];
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return (await stat(path)).size > BYTES ? "" : await readFile(path, "utf8");
  } catch {
    return "";
  }
}
