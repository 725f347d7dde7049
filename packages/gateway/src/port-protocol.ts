import { request as ask } from "node:http";
import type { Duplex } from "node:stream";
import { ANSWER_HEAD_BYTES, overTls, speaksTls } from "@treadle/common";
import type { PreviewTarget } from "./types.ts";

/** Ports that are remembered. */
const KEPT = 1_000;

/** Milliseconds for a port to answer to the name that it knows. */
const NAME_MS = 10_000;

/**
 * How ports are spoken to: which speak TLS (found out where plain HTTP is not answered, and forgotten where TLS is not),
 * and which answer to `localhost` alone, as esbuild's server does against DNS rebinding (found out where a page is refused).
 */
export function createPortProtocols() {
  const secure = new Set<string>();
  const local = new Set<string>();
  const keyOf = ({ project }: PreviewTarget, port: number) => `${project} ${port}`;
  /** A connection in what the port speaks, as far as that is known. */
  async function connect(target: PreviewTarget, port: number): Promise<Duplex> {
    const socket = await target.connect(port);
    return secure.has(keyOf(target, port)) ? overTls(socket) : socket;
  }
  return {
    connect,
    /** Whether the port is known to answer to `localhost` alone. */
    isLocal: (target: PreviewTarget, port: number): boolean => local.has(keyOf(target, port)),
    /** Whether a page that was refused is given to who calls the port `localhost`: it is worth to be asked again. */
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
    /** Whether the port turns out to speak otherwise than it was spoken to: it is worth to be asked again. */
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
