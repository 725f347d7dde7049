import { rmSync } from "node:fs";
import { createServer } from "node:net";
import { relative } from "node:path";
import { installAsk, type InstallAnswer, type InstallAsk } from "../wire/install.ts";
import type { GuestMessage } from "../wire/messages.ts";

/** Maximum length of a request; a real one is a line of a shell. */
const MAX_ASK = 256 * 1024;

/** The program that asked the host about an install. */
export interface InstallAsker {
  write(text: string): void;
  answered(answer: InstallAnswer): void;
}

/** Relays requests of package managers that were started in the sandbox to the host, and the host's answers back. */
export function createInstallAsks(root: string, send: (message: GuestMessage) => void) {
  const waiting = new Map<number, InstallAsker>();
  let asks = 0;

  /**
   * @returns a function to call when the asker has disconnected, or expects nothing after the
   * answer
   */
  function ask(asked: InstallAsk, asker: InstallAsker): () => void {
    const number = ++asks;
    waiting.set(number, asker);
    send({
      kind: "install",
      ask: number,
      asked: { ...asked, folder: relative(root, asked.folder) },
    });
    return () => {
      if (waiting.delete(number)) send({ kind: "install-gone", ask: number });
    };
  }

  return {
    ask,
    say: (number: number, text: string) => waiting.get(number)?.write(text),
    answer(number: number, answer: InstallAnswer): void {
      const asker = waiting.get(number);
      waiting.delete(number);
      asker?.answered(answer);
    },

    /**
     * Accepts requests of other programs in the sandbox at this socket, from the front of the
     * package managers; see manager-front.ts.
     */
    listen(path: string): void {
      rmSync(path, { force: true });
      createServer({ allowHalfOpen: true }, (socket) => {
        let text = "";
        let leave: (() => void) | undefined;
        socket.setEncoding("utf8").on("error", () => undefined);
        socket.on("data", (piece: string) => {
          if (leave) return;
          text += piece;
          if (text.length > MAX_ASK) return void socket.destroy();
          if (!text.includes("\n")) return;
          try {
            leave = ask(installAsk(JSON.parse(text)), {
              write: (text) => void socket.write(`${JSON.stringify({ text })}\n`),
              answered: (answer) => void socket.end(`${JSON.stringify(answer)}\n`),
            });
          } catch {
            socket.destroy();
          }
        });
        socket.on("close", () => leave?.());
        // The asker has sent everything and may have exited: an answer is discarded then.
        socket.on("end", () => socket.end());
      }).listen(path);
    },
  };
}

export type InstallAsks = ReturnType<typeof createInstallAsks>;
