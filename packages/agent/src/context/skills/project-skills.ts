import type { ProjectPath } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import type { Workspace } from "@treadle/workspace";
import type { IsAccepted } from "../../trust/protected-files.ts";
import { decodeText } from "../../text/decode-text.ts";
import { parseSkill } from "./parse-skill.ts";
import type { Skill } from "./types.ts";

/** Folders in which projects keep skills; for a name in both, the first folder wins. */
const FOLDERS = [".agents/skills", ".claude/skills"].map(toProjectPath);
/** Maximum number of skills per project, and bytes per file. */
const COUNT = 40;
const BYTES = 64_000;
/** Maximum number of entries read below such a folder: skills may contain other files. */
const ENTRIES = 1_000;

/**
 * The skills of a project, sorted by name. Unreadable ones are left out, as are those that nobody
 * accepted (A24).
 */
export async function projectSkills(
  { files }: Workspace,
  isAccepted: IsAccepted = () => true,
): Promise<Skill[]> {
  const found = new Map<string, Skill>();
  for (const folder of FOLDERS) {
    for (const path of await skillFiles(files, folder)) {
      if (found.size >= COUNT) break;
      const skill = await readSkill(files, path, isAccepted);
      if (skill && !found.has(skill.name)) found.set(skill.name, skill);
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function skillFiles(files: Workspace["files"], folder: ProjectPath): Promise<ProjectPath[]> {
  try {
    const listed = await files.list({ under: folder, limit: ENTRIES });
    const depth = folder.split("/").length + 2;
    return listed.files
      .filter(({ path, kind }) => kind === "file" && path.split("/").length === depth)
      .map(({ path }) => path)
      .filter((path) => path.endsWith("/SKILL.md"))
      .sort();
  } catch {
    // Most projects have no such folder.
    return [];
  }
}

async function readSkill(
  files: Workspace["files"],
  path: ProjectPath,
  isAccepted: IsAccepted,
): Promise<Skill | undefined> {
  try {
    const { bytes, version } = await files.read(path, { limit: BYTES });
    if (!isAccepted(path, version)) return undefined;
    const text = decodeText(bytes);
    return text === undefined ? undefined : await parseSkill(text, path.split("/").at(-2) ?? "");
  } catch {
    return undefined;
  }
}
