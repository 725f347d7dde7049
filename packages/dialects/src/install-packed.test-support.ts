import { execFile } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Root of the checkout. */
export const REPOSITORY = join(import.meta.dirname, "../../..");

/**
 * Packs packages of this repository from copies of their sources and installs the tarballs,
 * offline, into an empty project below `scratch`. Each package may need those before it.
 * @returns the project's path
 */
export async function installPacked(names: readonly string[], scratch: string): Promise<string> {
  // Copies, since packing rebuilds and must not change the checkout.
  const copy = join(scratch, "copy");
  mkdirSync(join(copy, "node_modules/@treadle"), { recursive: true });
  cpSync(join(REPOSITORY, "tsconfig.base.json"), join(copy, "tsconfig.base.json"));
  for (const name of names) {
    for (const part of ["package.json", "tsconfig.json", "README.md", "LICENSE", "src"])
      cpSync(join(REPOSITORY, "packages", name, part), join(copy, "packages", name, part), { recursive: true }); // prettier-ignore
    symlinkSync(join(copy, "packages", name), join(copy, "node_modules/@treadle", name));
    await npm(["pack", `--pack-destination=${scratch}`], join(copy, "packages", name), scratch);
  }
  const project = join(scratch, "project");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "empty", private: true }));
  const tarballs = names.map((name) => join(scratch, `treadle-${name}-0.1.0.tgz`));
  await npm(["install", ...tarballs], project, scratch);
  return project;
}

async function npm(args: string[], cwd: string, scratch: string): Promise<void> {
  const path = `${join(REPOSITORY, "node_modules/.bin")}${delimiter}${process.env["PATH"]}`;
  const cache = join(scratch, "cache");
  await execute("npm", [...args, "--offline", "--no-audit", "--no-fund", `--cache=${cache}`], {
    cwd,
    env: { ...process.env, PATH: path },
  });
}
