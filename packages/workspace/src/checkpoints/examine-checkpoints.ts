import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "../types.ts";
import { gitEnvironment } from "./git-environment.ts";
import { GIT_MS } from "./git-limit.ts";

interface Named {
  checkpoint: string;
  tree: string;
}

/**
 * Checks whether each checkpoint of a project still has all of its files. No server may have the project open.
 * @param stateDirectory of the project, absolute
 * @param repair removes incomplete checkpoints from the list, saving the old list beside it, and deletes truncated
 * objects
 */
export async function examineCheckpoints(
  stateDirectory: string,
  repair: boolean,
): Promise<Finding[]> {
  const list = join(stateDirectory, "checkpoints.json");
  const gitDirectory = join(stateDirectory, "checkpoints.git");
  const found: Finding[] = [];
  if (existsSync(list)) found.push(...(await examineList(list, gitDirectory, repair)));
  for (const file of draftsIn(stateDirectory)) {
    if (repair) rmSync(file, { force: true });
    found.push({
      where: "checkpoints",
      problem: `${file} was being written when a server ended`,
      mended: repair ? "it is removed" : undefined,
    });
  }
  return found;
}

async function examineList(
  file: string,
  gitDirectory: string,
  repair: boolean,
): Promise<Finding[]> {
  let read: Named[] | { kept: Named[] };
  try {
    read = JSON.parse(readFileSync(file, "utf8")) as typeof read;
  } catch (error) {
    const problem = `${file} cannot be read (${(error as Error).message}); without it no checkpoint can be gone back to`;
    if (!repair) return [{ where: "checkpoints", problem }];
    renameSync(file, `${file}.unreadable`);
    return [
      { where: "checkpoints", problem, mended: `it is ${file}.unreadable now; a new list begins` },
    ];
  }
  const listed = Array.isArray(read) ? read : read.kept;
  if (listed.length === 0 || (await isWhole(gitDirectory, listed))) return [];
  const lost = new Set<Named>();
  for (const one of listed) if (!(await isWhole(gitDirectory, [one]))) lost.add(one);
  if (lost.size === 0) return [];
  const names = [...lost].map(({ checkpoint }) => checkpoint).join(", ");
  const problem = `checkpoints that lost files: ${names}`;
  if (!repair) return [{ where: "checkpoints", problem }];
  const rest = listed.filter((one) => !lost.has(one));
  renameSync(file, `${file}.before-repair`);
  const text = JSON.stringify(Array.isArray(read) ? rest : { ...read, kept: rest });
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  // Its list of stored objects may include lost ones, so they are stored again when next needed.
  rmSync(join(gitDirectory, "treadle-blobs"), { force: true });
  return [
    {
      where: "checkpoints",
      problem,
      mended: `they are off the list, which was as ${file}.before-repair says`,
    },
  ];
}

/** Whether all objects of these trees exist. */
async function isWhole(gitDirectory: string, listed: readonly Named[]): Promise<boolean> {
  if (!listed.every(({ tree }) => /^[0-9a-f]{40}$/.test(tree))) return false;
  return new Promise((resolve) => {
    const git = execFile(
      "git",
      ["rev-list", "--objects", "--quiet", "--stdin"],
      {
        env: gitEnvironment(gitDirectory, process.env.PATH ?? ""),
        timeout: GIT_MS,
        maxBuffer: 1e9,
      },
      (error) => resolve(error === null),
    );
    git.stdin?.on("error", () => undefined);
    git.stdin?.end(listed.map(({ tree }) => `${tree}\n`).join(""));
  });
}

/**
 * Removes unfinished files that a killed server left in a project's checkpoint store. Nobody may
 * have it open. Never throws.
 */
export function sweepCheckpoints(stateDirectory: string): void {
  for (const file of draftsIn(stateDirectory)) {
    try {
      rmSync(file, { force: true });
    } catch {
      // The disk refuses; the file does no harm.
    }
  }
}

function draftsIn(stateDirectory: string): string[] {
  const gitDirectory = join(stateDirectory, "checkpoints.git");
  const own = [
    join(stateDirectory, "checkpoints.json.new"),
    join(gitDirectory, "treadle-blobs.new"),
  ];
  return [...own.filter((file) => existsSync(file)), ...cutObjects(gitDirectory)];
}

/** Unfinished objects and packs of a killed process. */
function cutObjects(gitDirectory: string): string[] {
  const objects = join(gitDirectory, "objects");
  if (!existsSync(objects)) return [];
  return readdirSync(objects)
    .filter((name) => /^(?:[0-9a-f]{2}|pack)$/.test(name))
    .flatMap((name) =>
      readdirSync(join(objects, name))
        .filter((file) => file.startsWith("tmp_") || file.endsWith(".new"))
        .map((file) => join(objects, name, file)),
    );
}
