import { request as ask } from "node:http";
import type { Duplex } from "node:stream";
import { ANSWER_HEAD_BYTES, overTls, speaksTls } from "@treadle/common";
import type { PreviewTarget } from "./types.ts";

/** Maximum number of remembered ports. */
const KEPT = 1_000;

/** Time limit in milliseconds for a port to answer under the name `localhost`. */
const NAME_MS = 10_000;

/**
 * Remembers how ports are spoken to: which use TLS (detected if plain HTTP fails, and forgotten if
 * TLS fails), and which answer only to `localhost`, as esbuild's server does against DNS rebinding
 * (detected if a page is refused).
 */
export function createPortProtocols() {
  const secure = new Set<string>();
  const local = new Set<string>();
  const keyOf = ({ project }: PreviewTarget, port: number) => `${project} ${port}`;
  /** Connects with the port's protocol, if it is known. */
  async function connect(target: PreviewTarget, port: number): Promise<Duplex> {
    const socket = await target.connect(port);
    return secure.has(keyOf(target, port)) ? overTls(socket) : socket;
  }
  return {
    connect,
    /** Whether the port is known to answer only to `localhost`. */
    isLocal: (target: PreviewTarget, port: number): boolean => local.has(keyOf(target, port)),
    /**
     * Whether a refused page is served under the name `localhost`, so that the request is worth
     * repeating.
     */
    async refusesName(target: PreviewTarget, port: number, path: string): Promise<boolean> {
      const key = keyOf(target, port);
      if (local.has(key) || local.size >= KEPT) return false;
      const socket = await connect(target, port).catch(() => undefined);
      if (!socket) return false;
      const status = await new Promise<number | undefined>((resolve) => {
        ask({
          path,
          headers: { host: `localhost:${port}`, accept: "text/html", connection: "close" },
          createConnection: () => socket,
          maxHeaderSize: ANSWER_HEAD_BYTES,
          signal: AbortSignal.timeout(NAME_MS),
        })
          .on("response", (answer) => resolve(answer.statusCode))
          .on("error", () => resolve(undefined))
          .end();
      }).finally(() => socket.destroy());
      if (status === undefined || status === 403) return false;
      local.add(key);
      return true;
    },
    /** Whether the port uses the other protocol, so that the request is worth repeating. */
    async mistaken(target: PreviewTarget, port: number): Promise<boolean> {
      const key = keyOf(target, port);
      const known = secure.has(key);
      const speaks = await speaksTls(() => target.connect(port));
      if (speaks === known) return false;
      if (speaks && secure.size < KEPT) secure.add(key);
      else secure.delete(key);
      return true;
    },
  };
}
