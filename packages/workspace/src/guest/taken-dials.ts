import { rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { createLineReader } from "./line-reader.ts";
import type { Dial } from "./bridges.ts";

/**
 * How long to wait until a program takes a dial, in milliseconds; a busy or hanging program
 * receives the connection at its port.
 */
const TAKE_MS = 250;
/**
 * Maximum number of ports handled this way in one sandbox; a cluster has one for each of its
 * processes.
 */
const MOST = 64;

/** A program that serves a port. */
interface App {
  socket: Socket;
  /** Pending dials by their tokens. */
  waiting: Map<string, (isTaken: boolean) => void>;
}

/** Programs in the sandbox that accept dials to their ports themselves; see take-dials.ts. */
export interface TakenDials {
  /** @param path of the socket at which programs register their ports */
  listen(path: string): void;
  /** Environment variables that make a program register its ports. */
  env: Record<string, string>;
  /** Whether a program has taken the dial; nobody else may answer it then. */
  take(dial: Dial): Promise<boolean>;
}

/** @param guest folder of the scripts that programs load */
export function createTakenDials(guest: string): TakenDials {
  const byPort = new Map<number, App[]>();
  let count = 0;

  function take(socket: Socket): void {
    const app: App = { socket, waiting: new Map() };
    let port: number | undefined;
    socket.on("error", () => undefined);
    if (++count > MOST) socket.destroy();
    socket.setEncoding("utf8").on(
      "data",
      createLineReader({
        onLine(line) {
          if (port !== undefined) return app.waiting.get(line)?.(true);
          port = Number(line);
          byPort.set(port, [...(byPort.get(port) ?? []), app]);
        },
        onTooLong: () => socket.destroy(),
      }),
    );
    socket.on("close", () => {
      count--;
      for (const listener of app.waiting.values()) listener(false);
      if (port === undefined) return;
      const others = byPort.get(port)!.filter((one) => one !== app);
      if (others.length > 0) byPort.set(port, others);
      else byPort.delete(port);
    });
  }

  return {
    listen(path) {
      rmSync(path, { force: true });
      createServer(take).listen(path);
    },
    env: { NODE_OPTIONS: `--require ${JSON.stringify(`${guest}/take-dials.cjs`)}` },
    take({ port, token, streamSocket }) {
      const apps = byPort.get(port);
      if (!apps) return Promise.resolve(false);
      // Round robin.
      const app = apps.shift()!;
      apps.push(app);
      return new Promise((resolve) => {
        const report = (isTaken: boolean) => {
          clearTimeout(late);
          app.waiting.delete(token);
          resolve(isTaken);
        };
        const late = setTimeout(report, TAKE_MS, false);
        app.waiting.set(token, report);
        app.socket.write(`${token} ${streamSocket}\n`);
      });
    },
  };
}
