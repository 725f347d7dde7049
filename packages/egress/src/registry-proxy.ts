import {
  createServer,
  request as plainRequest,
  Agent as PlainAgent,
  type IncomingMessage,
  type RequestOptions,
  type Server,
  type ServerResponse,
} from "node:http";
import { request as secureRequest, Agent as SecureAgent } from "node:https";
import { pipeline } from "node:stream";
import { connect as connectSecure, rootCertificates } from "node:tls";
import { createGunzip } from "node:zlib";
import { dialOut, type Outside } from "./dial-out.ts";
import { limitBytes } from "./limit-bytes.ts";
import { readPackageRequest, type MayInstall } from "./package-request.ts";
import type { Registry } from "./registry-config.ts";
import { rewriteArchives } from "./rewrite-archives.ts";
import { NO_PROXIES, proxyFor } from "./upstream-proxy.ts";

/** Request headers forwarded to the registry; cookies and logins of the sandbox are not. */
const PASSED = [
  "accept",
  "accept-encoding",
  "if-none-match",
  "if-modified-since",
  "user-agent",
  "npm-command",
];

/** The name of npm's registry in Yarn 1, which is built in and in all of its lock files. */
export const REGISTRY_ALIAS = "registry.yarnpkg.com";

/** Maximum size of one response in bytes; the largest packages take half of it. */
const ANSWER_LIMIT = 1024 * 1024 * 1024;

/** Maximum number of redirects: some registries redirect to where they store archives. */
const REDIRECTS = 5;

/**
 * What a path on the registry's host refers to. `package`: below the registry's own path, where its login is sent.
 * `other`: outside it, where some registries store archives; no login is sent. `private`: the account.
 */
function addressKind(target: URL, registry: URL): "package" | "other" | "private" {
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
 * A registry for the sandbox: the host's own, read-only, with the host's login, certificates and
 * proxy added. Paths are forwarded unchanged, so the sandbox's registry address has the same path
 * as the real one.
 * @param mayInstall decides about packages; absent: each may be installed
 * @param mayInstall decides which packages may be installed; absent: all
 * @returns a server that is not listening yet
 */
export function createRegistryProxy(
  registry: Registry,
  outside: Outside = { proxies: NO_PROXIES },
  mayInstall?: MayInstall,
): Server {
  const ask = createAsker(registry, outside);

  return createServer((inside, answer) => {
    const refuse = (status: number, error: string) =>
      answer
        .writeHead(status, { "content-type": "application/json" })
        .end(JSON.stringify({ error }));
    if (inside.method !== "GET" && inside.method !== "HEAD")
      return refuse(405, "Treadle's sandbox may read from the package registry, nothing else");
    let target: URL;
    try {
      target = new URL(inside.url ?? "/", registry.url);
    } catch {
      return refuse(400, "that is no address");
    }
    // A path like //elsewhere/x would otherwise be read as another host.
    if (target.origin !== registry.url.origin)
      return refuse(403, "that is not the package registry");
    // Below `/-/` a registry returns the signed-in user and tokens; that login is the host's.
    if (addressKind(target, registry.url) === "private")
      return refuse(403, "Treadle's sandbox may read packages from the registry, nothing else");
    const given = new AbortController();
    answer.on("close", () => given.abort());
    const pass = async () => {
      const asked = mayInstall && readPackageRequest(target, registry.url, inside.headers.accept);
      if (asked && !(await mayInstall(asked))) return void refuse(403, newPackageWords(asked.name));
      passAnswer(await ask(target, inside, given.signal), inside, answer);
    };
    pass().catch((error: Error) => {
      if (answer.headersSent) answer.destroy();
      else refuse(502, `the package registry cannot be reached: ${error.message}`);
    });
  });

  function passAnswer(
    response: IncomingMessage,
    inside: IncomingMessage,
    answer: ServerResponse,
  ): void {
    const { "set-cookie": _cookie, connection: _connection, ...headers } = response.headers;
    const here = originInside(inside.headers.host);
    const rewrites =
      isRewritten(registry, inside) &&
      here !== undefined &&
      /json/.test(headers["content-type"] ?? "");
    if (!rewrites || inside.method === "HEAD" || response.statusCode !== 200) {
      answer.writeHead(response.statusCode ?? 502, headers);
      pipeline(response, limitBytes(ANSWER_LIMIT), answer, () => undefined);
      return;
    }
    const { "content-length": _length, "content-encoding": encoding, ...forwarded } = headers;
    answer.writeHead(200, forwarded);
    const rewrite = rewriteArchives(registry.url.origin, here);
    const onEnd = (error: unknown) => error && answer.destroy();
    const limit = limitBytes(ANSWER_LIMIT);
    if (encoding === "gzip") pipeline(response, createGunzip(), limit, rewrite, answer, onEnd);
    else pipeline(response, limit, rewrite, answer, onEnd);
  }
}

/** What a package manager prints about a package that a second person has to approve. */
const newPackageWords = (name: string | undefined) =>
  name === undefined
    ? "this team approves new packages, and this address does not say which package it is"
    : `${name} is new to this team, and a second person has to approve it before it can be installed`;

/** Whether an archive can only be downloaded with the credentials of this machine. */
const needsUs = ({ authorization, cert, ca, unchecked }: Registry) =>
  authorization !== undefined || cert !== undefined || ca !== undefined || unchecked === true;

/** The registry's address inside the sandbox, which serves archives as well. */
function originInside(host: string | undefined): string | undefined {
  if (host === REGISTRY_ALIAS) return `https://${host}`;
  return /^127\.0\.0\.1:\d{1,5}$/.test(host ?? "") ? `http://${host}` : undefined;
}

/**
 * Whether addresses of archives in answers are rewritten to the sandbox's registry, because no tunnel leads to the real
 * one. npm itself keeps using the address it is configured with.
 */
const isRewritten = (registry: Registry, inside: Pick<IncomingMessage, "headers">) =>
  needsUs(registry) || !inside.headers["user-agent"]?.startsWith("npm/");

export type AskRegistry = (
  target: URL,
  inside: Pick<IncomingMessage, "method" | "headers">,
  signal: AbortSignal,
) => Promise<IncomingMessage>;

/** Requests a path from the registry, following redirects to any host. The login is only sent to the registry's own path. */
export function createAsker(registry: Registry, outside: Outside): AskRegistry {
  const { url } = registry;
  const own = agentFor(registry, outside);

  const send = (target: URL, options: RequestOptions, signal: AbortSignal) =>
    new Promise<IncomingMessage>((done, fail) => {
      const send = target.protocol === "https:" ? secureRequest : plainRequest;
      const request = send(target.href, options, done);
      request.on("error", fail);
      signal.addEventListener("abort", () => request.destroy(), { once: true });
      request.end();
    });

  return async (first, inside, signal) => {
    const headers: Record<string, string | string[]> = {};
    for (const name of PASSED) if (inside.headers[name]) headers[name] = inside.headers[name];
    // A response that is rewritten has to be readable.
    if (isRewritten(registry, inside)) headers["accept-encoding"] = "gzip";
    let target = first;
    for (let hop = 0; ; hop++) {
      const { method } = inside;
      const atHome = target.origin === url.origin;
      const place = atHome ? addressKind(target, url) : "other";
      if (place === "private") throw new Error("it sends on to what is private");
      const response = atHome
        ? await send(
            target,
            {
              method,
              agent: own,
              headers: {
                ...headers,
                ...(registry.authorization &&
                  place === "package" && { authorization: registry.authorization }),
              },
            },
            signal,
          )
        : await send(
            target,
            { method, headers, agent: false, ...(await elsewhere(target, outside)) },
            signal,
          );
      const { location } = response.headers;
      const status = response.statusCode ?? 0;
      if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return response;
      response.resume();
      const next = URL.parse(location, target.href);
      if (hop === REDIRECTS || !next || !/^https?:$/.test(next.protocol))
        throw new Error("it sends on to nowhere");
      target = next;
    }
  };
}

export function agentFor(registry: Registry, { proxies }: Outside): PlainAgent | SecureAgent {
  const { url, ca, cert, key, unchecked } = registry;
  const secure = url.protocol === "https:";
  const port = Number(url.port || (secure ? 443 : 80));
  const proxy = proxyFor({ host: url.hostname, port, secure }, proxies)?.href;
  const common = {
    keepAlive: true,
    maxSockets: 24,
    proxyEnv: proxy ? { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } : undefined,
  };
  if (!secure) return new PlainAgent(common);
  return new SecureAgent({
    ...common,
    ca: ca ? [...rootCertificates, ca] : undefined,
    ...(cert && key && { cert, key }),
    ...(unchecked && { rejectUnauthorized: false }),
  });
}

/** Options for a request to a redirect target: any public host, through the machine's own proxies. */
async function elsewhere(target: URL, outside: Outside): Promise<RequestOptions> {
  const secure = target.protocol === "https:";
  const port = Number(target.port || (secure ? 443 : 80));
  const plain = await dialOut(target.hostname, port, outside);
  const socket = secure ? connectSecure({ socket: plain, servername: target.hostname }) : plain;
  return { createConnection: () => socket };
}
