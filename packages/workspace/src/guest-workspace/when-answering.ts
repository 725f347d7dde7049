import type { Duplex } from "node:stream";
import { answersHttp } from "./answers-http.ts";
import type { RunningCommand } from "./commands.ts";

/** Many servers compile at their first request, some for minutes. Who waits for that looks whether they get on. */
const FIRST_ANSWER_MS = 120_000;
/** Milliseconds after which a port that has not answered is asked once more beside that: some servers lose a request. */
const BESIDE_ASK_MS = 4_000;
/** Who asks again later, and for the ports that are open by then, does not wait as long. */
const NOW_MS = 30_000;
/** Between two questions to a port that did not answer. */
const ASK_AGAIN_MS = 150;
/** Who waits for ports that hang up each time has seen enough: being asked is all that such a server still does. */
const HANGS_UP_MS = 30_000;
/** What a port answers that takes WebSockets alone, as a development server's own for its page does (RFC 9110, 15.5.22). */
const UPGRADE_REQUIRED = 426;
/** The app's own port has so long to open beside such a one. */
const BESIDE_MS = 3_000;

/**
 * Waits until one of a command's ports answers HTTP. Each port is asked by itself: one that takes connections and says
 * nothing (a debugger's, a database's) holds up no other.
 * @param parts.besideMs after which one that has not answered is asked once more beside that; default 4,000
 * @param parts.onHangsUp every port has hung up without an answer for half a minute; they are asked on
 * @returns all its ports, the one that answered first; undefined once `signal` is aborted
 */
export function whenAnswering(
  command: RunningCommand,
  parts: {
    connect(port: number): Promise<Duplex>;
    sleep(ms: number): Promise<unknown>;
    now(): number;
    besideMs?: number;
    onHangsUp(): void;
  },
  signal: AbortSignal,
): Promise<number[] | undefined> {
  return new Promise((resolve) => {
    const asked = new Set<number>();
    /** Those that may answer yet, and since when there has been none of them. */
    const open = new Set<number>();
    let hungUp: number | undefined;
    const controller = new AbortController();
    const finish = (ports?: number[]) => {
      controller.abort();
      command.onPorts = undefined;
      signal.removeEventListener("abort", onAbort);
      resolve(ports);
    };
    const onAbort = () => finish();
    const look = () => {
      for (const port of command.ports) if (!asked.has(port)) ask(port).catch(() => finish());
    };
    async function ask(port: number): Promise<void> {
      asked.add(port);
      open.add(port);
      const once = () =>
        answersHttp(() => parts.connect(port), port, FIRST_ANSWER_MS, controller.signal);
      const status = await askBeside(once, parts.besideMs ?? BESIDE_ASK_MS);
      if (controller.signal.aborted) return;
      if (status === UPGRADE_REQUIRED) await parts.sleep(BESIDE_MS);
      if (controller.signal.aborted) return;
      if (status !== undefined)
        return finish([port, ...command.ports.filter((other) => other !== port)]);
      open.delete(port);
      hungUp = open.size > 0 ? undefined : (hungUp ?? parts.now());
      if (hungUp !== undefined && parts.now() - hungUp >= HANGS_UP_MS) parts.onHangsUp();
      // It is asked again, even when no other one opens.
      await parts.sleep(ASK_AGAIN_MS);
      asked.delete(port);
      if (!controller.signal.aborted) look();
    }
    if (signal.aborted) return finish();
    signal.addEventListener("abort", onAbort);
    command.onPorts = look;
    look();
  });
}

/** Asks, and once more where that takes long: the first answer counts, and that there is none only of the first. */
async function askBeside<T>(
  once: () => Promise<T | undefined>,
  ms: number,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const first = once();
  const beside = new Promise<T | undefined>((resolve) => {
    timer = setTimeout(() => resolve(once().then((answer) => answer ?? first)), ms).unref();
  });
  return Promise.race([first, beside]).finally(() => clearTimeout(timer));
}

/** The first of these ports that answers HTTP now, or undefined. */
export async function firstAnswering(
  ports: readonly number[],
  connect: (port: number) => Promise<Duplex>,
): Promise<number | undefined> {
  const controller = new AbortController();
  const asked = ports.map(async (port) => {
    if ((await answersHttp(() => connect(port), port, NOW_MS, controller.signal)) !== undefined)
      return port;
    throw new Error("no answer");
  });
  const first = await Promise.any(asked).catch(() => undefined);
  controller.abort();
  return first;
}
