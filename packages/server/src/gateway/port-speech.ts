import type { Duplex } from "node:stream";
import { overTls, speaksTls } from "@treadle/workspace";
import type { PreviewTarget } from "./types.ts";

/** Ports that are remembered. */
const KEPT = 1_000;

/** Which ports speak TLS: found out where plain HTTP is not answered, and forgotten where TLS is not. */
export function createPortSpeech() {
  const secure = new Set<string>();
  const keyOf = ({ project }: PreviewTarget, port: number) => `${project} ${port}`;
  return {
    /** A connection in what the port speaks, as far as that is known. */
    async connect(target: PreviewTarget, port: number): Promise<Duplex> {
      const socket = await target.connect(port);
      return secure.has(keyOf(target, port)) ? overTls(socket) : socket;
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
