import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

type Env = Record<string, string | undefined>;

/**
 * npm's settings by npm's own order: environment, then the user's file, then the global one. A project's `.npmrc` is left
 * out on purpose: it is written by generated code, and must not choose where a login is sent (A32).
 */
export function readNpmSettings(env: Env): Record<string, string> {
  const fromEnvironment: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value && /^npm_config_/i.test(name))
      fromEnvironment[settingName(name.slice("npm_config_".length))] = value;
  const user = readNpmrc(fromEnvironment.userconfig ?? join(env.HOME ?? homedir(), ".npmrc"), env);
  const globals = [
    fromEnvironment.globalconfig ??
      join(fromEnvironment.prefix ?? user.prefix ?? globalPrefix(env), "etc", "npmrc"),
    // Where Debian's and some images' npm keep it.
    "/usr/etc/npmrc",
    "/etc/npmrc",
  ].map((file) => readNpmrc(file, env));
  return Object.assign({}, ...globals.reverse(), user, fromEnvironment) as Record<string, string>;
}

/** Settings of one registry (`//host/path/:_authToken`) and of a scope keep their letters; the others are folded. */
function settingName(name: string): string {
  if (name.startsWith("//") || name.startsWith("@")) return name;
  return name.toLowerCase().replaceAll("_", "-");
}

function readNpmrc(file: string, env: Env): Record<string, string> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return {};
  }
  const found: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const [before = "", ...behind] = line.split("=");
    const key = before.trim();
    if (behind.length === 0 || key === "" || /^[;#]/.test(key)) continue;
    const value = behind
      .join("=")
      .trim()
      .replace(/^(["'])(.*)\1$/, "$2")
      .replace(
        /\$\{([^{}?]+)(\??)\}/g,
        (placeholder, name: string, optional: string) => env[name] ?? (optional ? "" : placeholder),
      );
    const list = key.endsWith("[]");
    const name = key.replace(/\[\]$/, "");
    // `ca[]` may stand there more than once.
    found[name] = list && found[name] !== undefined ? `${found[name]}\n${value}` : value;
  }
  return found;
}

function globalPrefix(env: Env): string {
  if (env.PREFIX) return env.PREFIX;
  const which = spawnSync("sh", ["-c", "command -v npm"], {
    encoding: "utf8",
    env: { PATH: env.PATH },
  });
  const npm = which.stdout?.trim();
  return npm ? dirname(dirname(npm)) : dirname(dirname(process.execPath));
}
