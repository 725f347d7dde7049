import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";

export interface PackageJson {
  name?: string;
  version?: string;
  packageManager?: unknown;
  scripts?: Record<string, string>;
}

export interface FoundManifest {
  folder: string;
  manifest: PackageJson;
}

/**
 * Finds the package.json of the working directory or of its nearest parent, as package managers do; undefined if there
 * is none, or it is invalid.
 */
export function findManifest(): FoundManifest | undefined {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    try {
      const text = readFileSync(join(folder, "package.json"), "utf8");
      return { folder, manifest: JSON.parse(text) as PackageJson };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || folder === dirname(folder))
        return undefined;
    }
  }
}

/** A folder and its parents, starting with itself. */
function upwards(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...upwards(above)];
}

/**
 * Whether Yarn works without node_modules here: only Yarn knows then where a package's programs
 * are.
 */
export const isPlugAndPlay = (folder: string): boolean =>
  upwards(folder).some((place) => existsSync(join(place, ".pnp.cjs")));

/**
 * Returns a script of package.json with the shell and the environment that npm would use; undefined
 * if there is no such script, or it needs more than that.
 * @param typed environment and folder of the command
 */
export function scriptCommand(
  { folder, manifest }: FoundManifest,
  name: string,
  rest: readonly string[],
  typed: { env: NodeJS.ProcessEnv; from: string },
): { message: string; command: string; env: Record<string, string> } | undefined {
  const scripts = manifest.scripts ?? {};
  const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
  if (typeof script !== "string" || scripts[`pre${name}`] || scripts[`post${name}`])
    return undefined;
  if (isPlugAndPlay(folder)) return undefined;
  const quoted = rest.map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  const command = [script, ...quoted].join(" ");
  const node = typed.env.TREADLE_NODE ?? "";
  return {
    message: `\n> ${manifest.name ?? ""}@${manifest.version ?? ""} ${name}\n> ${command}\n\n`,
    command,
    env: {
      ...(typed.env as Record<string, string>),
      // A workspace's programs are beside those of its project.
      PATH: [
        ...upwards(resolve(folder)).map((place) => join(place, "node_modules/.bin")),
        typed.env.PATH ?? "",
      ].join(delimiter),
      npm_lifecycle_event: name,
      npm_lifecycle_script: script,
      npm_package_name: String(manifest.name ?? ""),
      npm_package_version: String(manifest.version ?? ""),
      npm_package_json: join(folder, "package.json"),
      npm_command: "run-script",
      npm_execpath: join(typed.env.TREADLE_NPM ?? "", "bin/npm-cli.js"),
      npm_node_execpath: node,
      INIT_CWD: typed.from,
      NODE: node,
    },
  };
}
