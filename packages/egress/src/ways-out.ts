import type { Server as HttpServer } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createServer as createSecureServer, type Server as SecureServer } from "node:https";
import { boundConnections, HANDSHAKE_MS } from "@treadle/common";
import { createConnectProxy } from "./connect-proxy.ts";
import type { MayInstall } from "./package-request.ts";
import type { ResolveHost } from "./public-address.ts";
import type { RegistryConfig } from "./registry-config.ts";
import type { Reachable } from "./project-settings.ts";
import { refusalOf, type Refusal } from "./refusal.ts";
import { createRegistryProxy, REGISTRY_ALIAS } from "./registry-proxy.ts";
import { openStaticHostServer, staticAuthority } from "./static-hosts/open-static-host-server.ts";
import { FONT_HOSTS } from "./static-hosts/static-hosts.ts";
import { HAS_POSTGRES, POSTGRES_ADDRESS, POSTGRES_PORT } from "./postgres-address.ts";
import { PROXY_SOCKET } from "./proxy-socket.ts";

/** Loopback ports in the sandbox; they are free, because the network namespace belongs to the sandbox. */
const DATABASE_PORT = 4872;
const REGISTRY_PORT = 4873;
export const PROXY_PORT = 4874;
const FIRST_SCOPE_PORT = 4875;

const PROXY = `http://127.0.0.1:${PROXY_PORT}`;
const DIRECT = "localhost,127.0.0.1,::1";

/** Environment variables that lead programs in the sandbox to the proxy. */
export const PROXY_ENV: Readonly<Record<string, string>> = {
  HTTP_PROXY: PROXY,
  HTTPS_PROXY: PROXY,
  http_proxy: PROXY,
  https_proxy: PROXY,
  NO_PROXY: DIRECT,
  no_proxy: DIRECT,
  NODE_USE_ENV_PROXY: "1",
};

/** Accepts a connection to the app's own PostgreSQL database. */
export type TakeDatabase = (connection: Duplex) => void;

/**
 * Maximum number of concurrent connections from one sandbox to each socket; package managers open
 * up to 64.
 */
const MAX_CONNECTIONS = 128;

export interface WayOut {
  socket: string;
  port: number;
  server: Server;
  /** Another program in the sandbox may listen on the port; this way is not offered then. */
  isOptional?: true;
}

export interface WaysOut {
  /** Servers for sockets of these file names, offered at these loopback ports in the sandbox. Not listening yet. */
  ways: WayOut[];
  /** Environment variables for everything in the sandbox. */
  env: Record<string, string>;
  /** Content of the user's `.npmrc` in the sandbox: a shell cannot pass on environment variables that name scopes. */
  npmrc: string;
  /** Additional certificate to trust in the sandbox, PEM: that of the server for static hosts. */
  trusted: string;
  /** Replaces the list of allowed hosts. Connections to hosts no longer on it are closed. */
  allow(reachable: Reachable): void;
  close(): void;
}

/** A server for the registry under its name in Yarn 1: the same packages, also read-only. */
function answerAs({ url, server }: { url: URL; server: HttpServer }): SecureServer {
  const { key, cert } = staticAuthority();
  const answering = createSecureServer(
    { key, cert, handshakeTimeout: HANDSHAKE_MS },
    (request, response) => {
      const path = request.url ?? "/";
      // Addresses from its responses already have the registry's own path.
      request.url = path.startsWith(url.pathname) ? path : url.pathname + path.slice(1);
      server.emit("request", request, response);
    },
  );
  answering.on("tlsClientError", (_error, socket) => socket.destroy());
  return boundConnections(answering);
}

/** A server for raw connections; closing it ends all of them. */
function plainServer(take: TakeDatabase): { server: Server; close(): void } {
  const open = new Set<Socket>();
  // A client that has finished sending may still receive an answer.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    // A connection over another link is not a socket, but is closed as well.
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    take(socket);
  });
  return {
    server,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/**
 * The network access of one sandbox: this machine's registries, and the hosts of the project's
 * list.
 */
export function createWaysOut(options: {
  registry: RegistryConfig;
  reachable: Reachable;
  resolve?: ResolveHost;
  /** Set if the app may have a PostgreSQL database. */
  database?: TakeDatabase | undefined;
  /** Decides which packages may be installed. Absent: all. */
  mayInstall?: MayInstall | undefined;
  onRefused(refusal: Refusal): void;
}): WaysOut {
  const { registry, resolve, onRefused, mayInstall } = options;
  let { reachable } = options;
  const outside = {
    proxies: registry.proxies,
    ca: registry.ca,
    resolve,
  };
  const own = { url: registry.url, server: createRegistryProxy(registry, outside, mayInstall) };
  const scoped = registry.scopes.map(({ scope, registry: one }) => ({
    scope,
    url: one.url,
    server: createRegistryProxy(one, outside, mayInstall),
  }));
  const onUnreached = (host: string, port = 443) => onRefused(refusalOf(host, port, "unreached"));
  const proxy = createConnectProxy({
    allowed: () => reachable.hosts,
    registries: [own, ...scoped],
    outside,
    answered: [{ host: REGISTRY_ALIAS, server: answerAs(own) }],
    statics: {
      server: openStaticHostServer({ hosts: FONT_HOSTS, registry, outside, onUnreached }),
      open: () => reachable.staticHosts,
    },
    onRefused,
    onUnreached,
  });
  const web = [
    { socket: "registry.sock", port: REGISTRY_PORT, server: own.server },
    { socket: PROXY_SOCKET, port: PROXY_PORT, server: proxy.server },
    ...scoped.map(({ server }, index) => ({
      socket: `scope-${index}.sock`,
      port: FIRST_SCOPE_PORT + index,
      server,
    })),
  ];
  // Every connection costs the server a descriptor, and generated code could open any number.
  for (const { server } of web) boundConnections(server).maxConnections = MAX_CONNECTIONS;
  const databases = options.database
    ? [
        { socket: "database.sock", port: DATABASE_PORT, ...plainServer(options.database) },
        {
          socket: "postgres.sock",
          port: POSTGRES_PORT,
          ...plainServer(options.database),
          isOptional: true as const,
        },
      ]
    : [];
  for (const { server } of databases) server.maxConnections = MAX_CONNECTIONS;

  // The real registry's path is preserved, so that addresses in its answers fit once their host is replaced.
  const inside = (port: number, url: URL) => `http://127.0.0.1:${port}${url.pathname}`;
  return {
    ways: [...web, ...databases.map(({ close: _close, ...way }): WayOut => way)],
    env: {
      npm_config_registry: inside(REGISTRY_PORT, registry.url),
      npm_config_replace_registry_host: "always",
      npm_config_omit_lockfile_registry_resolved: "true",
      ...PROXY_ENV,
      ...(options.database && { ...POSTGRES_ADDRESS, [HAS_POSTGRES]: "1" }),
    },
    npmrc: scoped
      .map(
        ({ scope, url }, index) => `${scope}:registry=${inside(FIRST_SCOPE_PORT + index, url)}\n`,
      )
      .join(""),
    trusted: staticAuthority().ca,
    allow(next) {
      reachable = next;
      proxy.recheck();
    },
    close() {
      for (const { server } of web) {
        server.close();
        server.closeAllConnections();
      }
      for (const { close } of databases) close();
    },
  };
}
