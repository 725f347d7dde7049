import { createServer, request as plainRequest, Agent as PlainAgent, type Server } from "node:http";
import { request as secureRequest, Agent as SecureAgent } from "node:https";
import { rootCertificates } from "node:tls";
import type { RegistryConfig } from "./registry-config.ts";

/** What of a request goes on to the registry; cookies and logins of the sandbox do not. */
const PASSED = [
  "accept",
  "accept-encoding",
  "if-none-match",
  "if-modified-since",
  "user-agent",
  "npm-command",
];

/**
 * What of the registry's host an address names. `package`: below the registry's own path, where its login belongs.
 * `other`: beside it, where some registries keep their archives; no login goes there. `private`: about the account.
 */
function placeOf(target: URL, registry: URL): "package" | "other" | "private" {
  let path: string;
  try {
    path = decodeURIComponent(target.pathname).replaceAll(/\/+/g, "/");
  } catch {
    return "private";
  }
  if (path.split("/").some((part) => part === ".." || part === ".")) return "private";
  if (!path.startsWith(registry.pathname)) return "other";
  return /^-(\/|$)/.test(path.slice(registry.pathname.length)) ? "private" : "package";
}

/**
 * A registry for the sandbox: the host's own, read-only, with the host's login, certificates and proxy added on the way
 * out. Paths are passed on unchanged, so the sandbox's registry address has the same path as the real one.
 * @returns a server that listens on nothing yet
 */
export function createRegistryProxy(config: RegistryConfig): Server {
  const secure = config.url.protocol === "https:";
  const proxyEnv = process.env as Record<string, string>;
  const agent = secure
    ? new SecureAgent({
        keepAlive: true,
        maxSockets: 24,
        proxyEnv,
        ...(config.ca && { ca: [...rootCertificates, config.ca] }),
      })
    : new PlainAgent({ keepAlive: true, maxSockets: 24, proxyEnv });
  const send = secure ? secureRequest : plainRequest;

  return createServer((inside, answer) => {
    const refuse = (status: number, error: string) =>
      answer
        .writeHead(status, { "content-type": "application/json" })
        .end(JSON.stringify({ error }));
    if (inside.method !== "GET" && inside.method !== "HEAD")
      return refuse(405, "Treadle's sandbox may read from the package registry, nothing else");
    let target: URL;
    try {
      target = new URL(inside.url ?? "/", config.url);
    } catch {
      return refuse(400, "that is no address");
    }
    // A path like //elsewhere/x would otherwise be read as another host.
    if (target.origin !== config.url.origin) return refuse(403, "that is not the package registry");
    // Under `/-/` a registry tells who is logged in and with which tokens; that login is the host's.
    const place = placeOf(target, config.url);
    if (place === "private")
      return refuse(403, "Treadle's sandbox may read packages from the registry, nothing else");
    const headers: Record<string, string | string[]> = {};
    for (const name of PASSED) if (inside.headers[name]) headers[name] = inside.headers[name];
    if (config.authorization && place === "package") headers.authorization = config.authorization;
    const outside = send(target, { agent, method: inside.method, headers }, (response) => {
      const { "set-cookie": _cookie, connection: _connection, ...rest } = response.headers;
      answer.writeHead(response.statusCode ?? 502, rest);
      response.pipe(answer);
      response.on("error", () => answer.destroy());
    });
    outside.on("error", (error) => {
      if (answer.headersSent) answer.destroy();
      else refuse(502, `the package registry cannot be reached: ${error.message}`);
    });
    answer.on("close", () => outside.destroy());
    outside.end();
  });
}
