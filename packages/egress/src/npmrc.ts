import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

type Env = Record<string, string | undefined>;

/**
 * Reads npm's settings with npm's precedence: environment, then the user's file, then the global
 * one. Excludes a project's `.npmrc`, because generated code writes it, and it must not choose
 * where a login is sent (A32).
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
    // The path in Debian's and some images' npm.
    "/usr/etc/npmrc",
    "/etc/npmrc",
  ].map((file) => readNpmrc(file, env));
  return Object.assign({}, ...globals.reverse(), user, fromEnvironment) as Record<string, string>;
}

/**
 * Settings of one registry (`//host/path/:_authToken`) and of a scope are case-sensitive; others
 * are not.
 */
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
    // `ca[]` may occur more than once.
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
