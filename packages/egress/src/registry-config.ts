import { readFileSync } from "node:fs";
import { readNpmSettings } from "./npmrc.ts";
import { readUpstreamProxies, type UpstreamProxies } from "./upstream-proxy.ts";

/**
 * A package registry as configured in npm on this machine. `authorization` never enters a sandbox.
 */
export interface Registry {
  /** With a trailing slash, without credentials. */
  url: URL;
  authorization?: string;
  /** Additional certificates to trust, PEM. */
  ca?: string;
  /** Client certificate and key for the registry, PEM. */
  cert?: string;
  key?: string;
  /** The person's npm is configured not to check certificates. */
  unchecked?: true;
}

export interface RegistryConfig extends Registry {
  /** Registries of one scope each: `@corp`. */
  scopes: { scope: string; registry: Registry }[];
  /** The proxies of this machine itself. */
  proxies: UpstreamProxies;
}

const DEFAULT = "https://registry.npmjs.org/";

/**
 * Reads this machine's npm configuration: registries with their logins, certificates, and proxies.
 */
export function readRegistryConfig(env: Record<string, string | undefined>): RegistryConfig {
  const settings = readNpmSettings(env);
  const scopes = Object.entries(settings).flatMap(([name, address]) => {
    const scope = /^(@[a-z0-9._~-]+):registry$/i.exec(name)?.[1];
    return scope && URL.canParse(address)
      ? [{ scope, registry: readRegistry(address, settings) }]
      : [];
  });
  return {
    ...readRegistry(settings.registry ?? DEFAULT, settings),
    scopes,
    proxies: readUpstreamProxies(settings, env),
  };
}

function readRegistry(address: string, settings: Record<string, string>): Registry {
  const url = new URL(URL.canParse(address) ? address : DEFAULT);
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  const setting = settingFor(url, settings);
  const authorization = authorizationFor(url, setting);
  url.username = "";
  url.password = "";
  const ca = settings.ca?.replaceAll("\\n", "\n") ?? readPem(setting("cafile") ?? settings.cafile);
  const cert = settings.cert?.replaceAll("\\n", "\n") ?? readPem(setting("certfile"));
  const key = settings.key?.replaceAll("\\n", "\n") ?? readPem(setting("keyfile"));
  return {
    url,
    authorization,
    ca: ca || undefined,
    ...(cert && key && { cert, key }),
    unchecked: settings["strict-ssl"] === "false" || undefined,
  };
}

type Setting = (name: string) => string | undefined;

/**
 * npm looks up a registry's settings by its address without the scheme, from the longest path to
 * the shortest.
 */
function settingFor(url: URL, settings: Record<string, string>): Setting {
  const parts = url.pathname.split("/").filter(Boolean);
  const places = Array.from({ length: parts.length + 1 }, (_, index) =>
    ["", ...parts.slice(0, parts.length - index), ""].join("/"),
  );
  return (name) => {
    for (const path of places)
      // Both forms are in use: with and without a slash before the colon.
      for (const place of [path, path.slice(0, -1)]) {
        const found = settings[`//${url.host}${place}:${name}`];
        if (found) return found;
      }
    return undefined;
  };
}

function authorizationFor(url: URL, setting: Setting): string | undefined {
  const token = setting("_authToken");
  if (token) return `Bearer ${token}`;
  const basic = setting("_auth");
  if (basic) return `Basic ${basic}`;
  const [name, password] = [setting("username"), setting("_password")];
  if (name && password) return toBasic(name, Buffer.from(password, "base64").toString());
  if (url.username !== "")
    return toBasic(decodeURIComponent(url.username), decodeURIComponent(url.password));
  return undefined;
}

function toBasic(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;
}

function readPem(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
