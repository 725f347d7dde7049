import type { Server } from "node:http";
import { createConnectProxy } from "./connect-proxy.ts";
import type { Resolve } from "./public-address.ts";
import type { RegistryConfig } from "./registry-config.ts";
import type { Refusal } from "./refusal.ts";
import { createRegistryProxy } from "./registry-proxy.ts";
import { PROXY_SOCKET } from "../wire/types.ts";

/** Loopback ports inside; the network namespace is the sandbox's own, so nothing else is there first. */
const REGISTRY_PORT = 4873;
const PROXY_PORT = 4874;
const FIRST_SCOPE_PORT = 4875;

/** Connections at a time from one sandbox to each way out; package managers open up to 64. */
const MAX_CONNECTIONS = 128;

export interface WaysOut {
  /** Each a server behind a socket of that file name, offered at that loopback port inside. They listen on nothing yet. */
  ways: { socket: string; port: number; server: Server }[];
  /** What everything inside finds in its environment. */
  env: Record<string, string>;
  /** Text of the user's `.npmrc` inside: scopes cannot be named in an environment that a shell passes on. */
  npmrc: string;
  /** The project's list from now on; what goes to a host that is not on it any more ends. */
  allow(hosts: readonly string[]): void;
  close(): void;
}

/** The only ways out of one sandbox: to the registries of this machine, and to what the project's list names. */
export function createWaysOut(options: {
  registry: RegistryConfig;
  hosts: readonly string[];
  resolve?: Resolve;
  onRefused(refusal: Refusal): void;
}): WaysOut {
  const { registry, resolve, onRefused } = options;
  let allowed = options.hosts;
  const outside = {
    proxies: registry.proxies,
    ...(registry.ca && { ca: registry.ca }),
    ...(resolve && { resolve }),
  };
  const own = { url: registry.url, server: createRegistryProxy(registry, outside) };
  const scoped = registry.scopes.map(({ scope, registry: one }) => ({
    scope,
    url: one.url,
    server: createRegistryProxy(one, outside),
  }));
  const proxy = createConnectProxy({
    allowed: () => allowed,
    registries: [own, ...scoped],
    outside,
    onRefused,
  });
  const ways = [
    { socket: "registry.sock", port: REGISTRY_PORT, server: own.server },
    { socket: PROXY_SOCKET, port: PROXY_PORT, server: proxy.server },
    ...scoped.map(({ server }, index) => ({
      socket: `scope-${index}.sock`,
      port: FIRST_SCOPE_PORT + index,
      server,
    })),
  ];
  // Every connection costs the server a descriptor, and generated code could open them without end.
  for (const { server } of ways) server.maxConnections = MAX_CONNECTIONS;

  // The real registry's path is kept, so that the addresses in its answers fit after their host is replaced.
  const inside = (port: number, url: URL) => `http://127.0.0.1:${port}${url.pathname}`;
  const proxyAddress = `http://127.0.0.1:${PROXY_PORT}`;
  const direct = "localhost,127.0.0.1,::1";
  return {
    ways,
    env: {
      npm_config_registry: inside(REGISTRY_PORT, registry.url),
      npm_config_replace_registry_host: "always",
      npm_config_omit_lockfile_registry_resolved: "true",
      HTTP_PROXY: proxyAddress,
      HTTPS_PROXY: proxyAddress,
      http_proxy: proxyAddress,
      https_proxy: proxyAddress,
      NO_PROXY: direct,
      no_proxy: direct,
      NODE_USE_ENV_PROXY: "1",
    },
    npmrc: scoped
      .map(
        ({ scope, url }, index) => `${scope}:registry=${inside(FIRST_SCOPE_PORT + index, url)}\n`,
      )
      .join(""),
    allow(hosts) {
      allowed = hosts;
      proxy.recheck();
    },
    close() {
      for (const { server } of ways) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}
