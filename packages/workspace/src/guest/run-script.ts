import { readFileSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";

export interface Manifest {
  name?: string;
  version?: string;
  packageManager?: unknown;
  scripts?: Record<string, string>;
}

/** The nearest package.json, as package managers look for it. */
export function findManifest(): { folder: string; manifest: Manifest } | undefined {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    try {
      const text = readFileSync(join(folder, "package.json"), "utf8");
      return { folder, manifest: JSON.parse(text) as Manifest };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || folder === dirname(folder))
        return undefined;
    }
  }
}

/** A script of package.json as the shell and the environment that npm would run it with; undefined where it has none. */
export function scriptCommand(
  name: string,
  rest: readonly string[],
): { said: string; command: string; folder: string; env: NodeJS.ProcessEnv } | undefined {
  const found = findManifest();
  const scripts = found?.manifest.scripts ?? {};
  const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
  if (!found || typeof script !== "string" || scripts[`pre${name}`] || scripts[`post${name}`])
    return undefined;
  const { folder, manifest } = found;
  const quoted = rest.map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  const command = [script, ...quoted].join(" ");
  return {
    said: `\n> ${manifest.name ?? ""}@${manifest.version ?? ""} ${name}\n> ${command}\n\n`,
    command,
    folder,
    env: {
      ...process.env,
      PATH: [resolve(folder, "node_modules/.bin"), process.env.PATH ?? ""].join(delimiter),
      npm_lifecycle_event: name,
      npm_lifecycle_script: script,
      npm_package_name: manifest.name ?? "",
      npm_package_version: manifest.version ?? "",
      npm_package_json: join(folder, "package.json"),
      npm_command: "run-script",
      npm_execpath: join(process.env.TREADLE_NPM ?? "", "bin/npm-cli.js"),
      npm_node_execpath: process.execPath,
      INIT_CWD: process.cwd(),
      NODE: process.execPath,
    },
  };
}
