import { rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { createLineReader } from "./line-reader.ts";
import type { Dial } from "./bridges.ts";

/** Who does not take a dial by then is busy or hangs: it finds the connection at its port. Milliseconds. */
const TAKE_MS = 250;
/** Ports of one sandbox that are taken so; a cluster has one for each of its processes. */
const MOST = 64;

/** A program that answers for a port. */
interface App {
  socket: Socket;
  /** Of the dials that it was told of, by their tokens. */
  waiting: Map<string, (isTaken: boolean) => void>;
}

/** Programs inside that take dials of their ports themselves; see take-dials.ts. */
export interface TakenDials {
  /** @param path of the socket at which programs say which port is theirs */
  listen(path: string): void;
  /** What a program needs in its environment in order to do so. */
  env: Record<string, string>;
  /** Whether somebody has taken it: nobody else is to answer it then. */
  take(dial: Dial): Promise<boolean>;
}

/** @param guest folder of what programs read for it */
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
      // Each in its turn.
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
