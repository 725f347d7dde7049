import type { Duplex } from "node:stream";
import { answersHttp } from "./answers-http.ts";
import type { RunningCommand } from "./commands.ts";

/**
 * Time limit for a first response: many servers compile at their first request, some for minutes.
 * Callers that wait this long check for progress.
 */
const FIRST_ANSWER_MS = 120_000;
/**
 * Milliseconds after which a second request is sent to a port that has not answered: some servers
 * lose a request.
 */
const BESIDE_ASK_MS = 4_000;
/** Time limit for callers that ask again later, for the ports that are open by then. */
const NOW_MS = 30_000;
/** Interval between requests to a port that did not answer. */
const ASK_AGAIN_MS = 150;
/**
 * How long ports may close every connection before this is reported: such a server will not do
 * anything else.
 */
const HANGS_UP_MS = 30_000;
/**
 * The status of a port that only accepts WebSockets, such as a dev server's own (RFC 9110,
 * 15.5.22).
 */
const UPGRADE_REQUIRED = 426;
/** How long to wait for the app's own port beside such a port. */
const BESIDE_MS = 3_000;

/**
 * Waits until one of a command's ports answers HTTP. Each port is asked independently: one that
 * accepts connections and sends nothing (a debugger's, a database's) delays no other.
 * @param parts.besideMs delay before a second request to a port that has not answered; default
 * 4,000
 * @param parts.onHangsUp called when every port has closed its connections without an answer for
 * half a minute; asking continues
 * @returns all its ports, the answering one first; undefined once `signal` is aborted
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
    /** Ports that may still answer, and since when there have been none. */
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
      // Asked again, even if no other port opens.
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

/**
 * Sends a request, and a second one if it takes long: the first response counts, but only the first
 * request can determine that there is none.
 */
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

/** The first of these ports that answers HTTP now; undefined if none does. */
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
