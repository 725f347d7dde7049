import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { spawnSync } from "node:child_process";

/** The package registry as npm on this machine is set to use it. What is in `authorization` never enters a sandbox. */
export interface RegistryConfig {
  /** With a trailing slash. */
  url: URL;
  authorization?: string;
  /** Certificates to trust besides Node's own, PEM. */
  ca?: string;
}

const DEFAULT = "https://registry.npmjs.org/";

/**
 * Reads npm's configuration by npm's own order: environment, then the user's file, then the global one. A project's
 * `.npmrc` is left out on purpose: it is written by generated code, and must not choose where a login is sent (A32).
 */
export function readRegistryConfig(env: Record<string, string | undefined>): RegistryConfig {
  const fromEnvironment: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value && /^npm_config_/i.test(name))
      fromEnvironment[name.slice("npm_config_".length).toLowerCase().replaceAll("_", "-")] = value;
  const user = readNpmrc(fromEnvironment.userconfig ?? join(env.HOME ?? homedir(), ".npmrc"), env);
  const globals = [
    fromEnvironment.globalconfig ??
      join(fromEnvironment.prefix ?? user.prefix ?? globalPrefix(env), "etc", "npmrc"),
    // Where Debian's and some images' npm keep it.
    "/usr/etc/npmrc",
    "/etc/npmrc",
  ].map((file) => readNpmrc(file, env));
  const settings: Record<string, string> = Object.assign(
    {},
    ...globals.reverse(),
    user,
    fromEnvironment,
  );

  let url: URL;
  try {
    url = new URL(settings.registry ?? DEFAULT);
  } catch {
    url = new URL(DEFAULT);
  }
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  const authorization = authorizationFor(url, settings);
  const ca = readCertificates(settings);
  return { url, ...(authorization && { authorization }), ...(ca && { ca }) };
}

function readNpmrc(file: string, env: Record<string, string | undefined>): Record<string, string> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return {};
  }
  const found: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*([^;#=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line);
    if (!match) continue;
    const value = match[2]!
      .replace(/^(["'])(.*)\1$/, "$2")
      .replace(/\$\{([^}]+)\}/g, (whole, name: string) => env[name] ?? whole);
    found[match[1]!.replace(/\[\]$/, "")] = value;
  }
  return found;
}

function authorizationFor(url: URL, settings: Record<string, string>): string | undefined {
  // npm looks the login up by the registry's address without its scheme, from the longest path to the shortest.
  const parts = url.pathname.split("/").filter(Boolean);
  for (let length = parts.length; length >= 0; length--) {
    const path = parts
      .slice(0, length)
      .map((part) => `${part}/`)
      .join("");
    const scope = `//${url.host}/${path}`;
    const token = settings[`${scope}:_authToken`];
    if (token) return `Bearer ${token}`;
    const basic = settings[`${scope}:_auth`];
    if (basic) return `Basic ${basic}`;
    const name = settings[`${scope}:username`];
    const password = settings[`${scope}:_password`];
    if (name && password) {
      const plain = Buffer.from(password, "base64").toString();
      return `Basic ${Buffer.from(`${name}:${plain}`).toString("base64")}`;
    }
  }
  if (url.username !== "") {
    const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    return `Basic ${Buffer.from(login).toString("base64")}`;
  }
  return undefined;
}

function readCertificates(settings: Record<string, string>): string | undefined {
  if (settings.ca) return settings.ca.replaceAll("\\n", "\n");
  if (!settings.cafile) return undefined;
  try {
    return readFileSync(settings.cafile, "utf8");
  } catch {
    return undefined;
  }
}

function globalPrefix(env: Record<string, string | undefined>): string {
  if (env.PREFIX) return env.PREFIX;
  const which = spawnSync("sh", ["-c", "command -v npm"], {
    encoding: "utf8",
    env: { PATH: env.PATH },
  });
  const npm = which.stdout?.trim();
  return npm ? dirname(dirname(npm)) : dirname(dirname(process.execPath));
}
