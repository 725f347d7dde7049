import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type Handlers,
  isLoopbackAddress,
  ListenError,
  openListener,
  shutListener,
} from "@treadle/common";

export interface Listener {
  port: number;
  url: string;
  close(): Promise<void>;
}

/** Number of attempts for port 0 to find a port that is free on both loopback addresses. */
const TRIES = 5;

/**
 * Listens on loopback and, if people sign in at a public address, on another address as well.
 * @throws ListenError
 */
export async function listen(
  { host, port, isPublic }: { host: string; port: number; isPublic: boolean },
  handlers: Handlers,
): Promise<Listener> {
  if (isLoopbackAddress(host)) return listenOnLoopback(host, port, handlers);
  if (!isPublic)
    throw new ListenError(
      "not-loopback",
      `Treadle does not listen on ${host}: without sign-in, everybody who reaches that address could run code here. Say with --url at which https address people reach it and sign in, or leave --host out and forward the port, for example with ssh -L.`,
    );
  const outer = await openListener(host, port, handlers);
  const taken = (outer.address() as AddressInfo).port;
  // Programs on this machine use loopback, which these two addresses include.
  if (host === "0.0.0.0" || host === "::") return listenerOf(taken, [outer]);
  try {
    const inner = await listenOnLoopback("127.0.0.1", taken, handlers);
    return {
      ...inner,
      close: async () => void (await Promise.all([shutListener(outer), inner.close()])),
    };
  } catch (error) {
    await shutListener(outer);
    throw error;
  }
}

const listenerOf = (port: number, servers: Server[]): Listener => ({
  port,
  url: `http://localhost:${port}`,
  close: async () => void (await Promise.all(servers.map(shutListener))),
});

/**
 * Listens on 127.0.0.1 and ::1, as browsers resolve `*.localhost` to either; on one of them if the machine lacks
 * the other.
 */
async function listenOnLoopback(host: string, port: number, handlers: Handlers): Promise<Listener> {
  const main = host === "::1" ? "::1" : "127.0.0.1";
  const other = main === "::1" ? "127.0.0.1" : "::1";
  for (let attempt = 1; ; attempt++) {
    const first = await openListener(main, port, handlers);
    const taken = (first.address() as AddressInfo).port;
    try {
      const second = await openListener(other, taken, handlers).catch((error: unknown) => {
        // This machine has no IPv6 (or no IPv4), so no client uses it.
        if (error instanceof ListenError && error.code === "failed") return undefined;
        throw error;
      });
      return listenerOf(taken, second ? [first, second] : [first]);
    } catch (error) {
      await shutListener(first);
      if (port !== 0 || attempt === TRIES) throw error;
    }
  }
}
