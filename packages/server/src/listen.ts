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
 * Listens on loopback: on 127.0.0.1 and, where this machine has it, on ::1, as browsers resolve `*.localhost` to either.
 * @throws ListenError
 */
export async function listenOnLoopback(
  { host, port }: { host: string; port: number },
  handlers: Handlers,
): Promise<Listener> {
  if (!isLoopbackAddress(host))
    throw new ListenError(
      "not-loopback",
      `Treadle does not listen on ${host}: without sign-in, everybody who reaches that address could run code here. Leave --host out and forward the port, for example with ssh -L.`,
    );
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
      const servers = second ? [first, second] : [first];
      return {
        port: taken,
        url: `http://localhost:${taken}`,
        close: async () => void (await Promise.all(servers.map(shutListener))),
      };
    } catch (error) {
      await shutListener(first);
      if (port !== 0 || attempt === TRIES) throw error;
    }
  }
}
