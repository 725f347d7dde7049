import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { ShutAddress } from "../wire/exec-request.ts";

/** Milliseconds without an answer after which an address counts as out of reach: all of them are in the same cluster. */
const CONNECT_MS = 700;
/** Milliseconds between two attempts. */
const PAUSE_MS = 200;
/** Number of consecutive attempts in which nothing must be reachable. */
const ATTEMPTS = 2;

const KUBELET_PORT = 10_250;

/**
 * The addresses that only a program in the pod knows: the API server as the cluster announces it to every pod, and the
 * node, which is the gateway in most clusters.
 */
export function addressesSeenInPod(env: NodeJS.ProcessEnv, routes = readRoutes()): ShutAddress[] {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  return [
    ...(host ? [{ host, port: Number(port ?? 443) }] : []),
    ...gateways(routes).map((gateway) => ({ host: gateway, port: KUBELET_PORT })),
  ];
}

function readRoutes(): string {
  try {
    return readFileSync("/proc/net/route", "utf8");
  } catch {
    return "";
  }
}

/** Default gateways of the kernel's table of IPv4 routes, which writes addresses as little-endian numbers. */
function gateways(routes: string): string[] {
  return routes.split("\n").flatMap((line) => {
    const [, destination, gateway] = line.split("\t");
    if (destination !== "00000000" || !gateway || gateway === "00000000") return [];
    return [Buffer.from(gateway, "hex").reverse().join(".")];
  });
}

/** Resolves with the addresses that accept a connection, as `host:port`. */
export async function findReachable(addresses: readonly ShutAddress[]): Promise<string[]> {
  const reached = await Promise.all(
    addresses.map(
      ({ host, port }) =>
        new Promise<boolean>((resolve) => {
          const socket = connect({ host, port });
          const settle = (isReached: boolean) => {
            clearTimeout(late);
            socket.destroy();
            resolve(isReached);
          };
          const late = setTimeout(settle, CONNECT_MS, false);
          socket.once("connect", () => settle(true)).once("error", () => settle(false));
        }),
    ),
  );
  return addresses.filter((_, at) => reached[at]).map(({ host, port }) => `${host}:${port}`);
}

/**
 * Waits until none of the addresses can be reached, in two attempts in a row.
 * @returns the addresses that could still be reached after `ms`, as `host:port`
 */
export async function waitUntilShut(
  addresses: readonly ShutAddress[],
  ms: number,
): Promise<string[]> {
  const end = performance.now() + ms;
  let calm = 0;
  for (;;) {
    const open = await findReachable(addresses);
    calm = open.length === 0 ? calm + 1 : 0;
    if (calm === ATTEMPTS) return [];
    if (open.length > 0 && performance.now() > end) return open;
    await sleep(PAUSE_MS);
  }
}
