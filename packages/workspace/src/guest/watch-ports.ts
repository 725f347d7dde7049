import type { ListeningPort } from "../wire/messages.ts";
import { listeningSockets, socketOwners, socketsInUse } from "./listening-ports.ts";
import type { Processes } from "./processes.ts";

/** A server is shown within one of these; how many sockets are in use is told in about 0.05 ms. */
const EVERY_MS = 60;
/** One that takes another's place may leave the number as it was, and is found by this. */
const ANYWAY_MS = 5_000;
/** Where a command was started or has ended, that is likely for so long: it is looked more often. */
const LIKELY_MS = 10_000;
const LIKELY_ANYWAY_MS = 250;
/**
 * Listing sockets walks the kernel's table for connections, whose size goes with the machine's memory (3 ms each for
 * IPv4 and IPv6 at 24 GB), however few there are. So many times as long it is then left alone.
 */
const REST = 20;
/** At most so many milliseconds: a look that took longer than usual waited for a processor that others kept busy. */
const MOST_REST_MS = 1_000;

/** When it may be looked again after a look that began at `began`. */
const restUntil = (began: number) =>
  began + Math.min(REST * (performance.now() - began), MOST_REST_MS);

const kernel = { inUse: socketsInUse, listening: listeningSockets, owners: socketOwners };

/** Tells of the ports that are listened on whenever they change. */
export function watchPorts(options: {
  processes: Pick<Processes, "families" | "list">;
  /** Ports that the guest itself listens on. */
  own: number[];
  onPorts: (ports: ListeningPort[]) => void;
  /** What is asked about sockets; tests bring their own. */
  asks?: typeof kernel;
}): { close(): void } {
  const { inUse, listening, owners: ownersOf } = options.asks ?? kernel;
  let last = "[]";
  let lastInUse: string | undefined;
  let lastSockets = "";
  let notBefore = 0;
  let overdue = 0;
  let lastCommands = "";
  let likelyUntil = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    const commands = options.processes
      .list()
      .map(({ id }) => id)
      .join();
    if (commands !== lastCommands) {
      lastCommands = commands;
      likelyUntil = now + LIKELY_MS;
      overdue = 0;
    }
    const used = inUse();
    const changed = used === undefined || used !== lastInUse;
    if (now < notBefore || (!changed && now < overdue)) return;
    lastInUse = used;
    const sockets = listening().filter(({ port }) => !options.own.includes(port));
    notBefore = restUntil(now);
    overdue = now + (now < likelyUntil ? LIKELY_ANYWAY_MS : ANYWAY_MS);
    const key = sockets.map(({ inode }) => inode).join(" ");
    // Whose socket it is takes a walk over /proc, so only when there is something new.
    if (key === lastSockets) return;
    const ports: ListeningPort[] = [];
    const families = options.processes.families();
    const owners = ownersOf(families.flatMap(({ pids }) => pids));
    for (const { port, inode } of sockets) {
      if (ports.some((known) => known.port === port)) continue;
      const pid = owners.get(inode);
      const owner =
        pid === undefined ? undefined : families.find(({ pids }) => pids.includes(pid))?.id;
      ports.push({ port, process: owner });
    }
    // A command that was just started may be found with its next process only: nobody would ask again whose its port is.
    const isKnown = ports.every(({ process }) => process !== undefined);
    lastSockets = isKnown || now >= likelyUntil ? key : "";
    notBefore = restUntil(now);
    const text = JSON.stringify(ports);
    if (text === last) return;
    last = text;
    options.onPorts(ports);
  }, EVERY_MS).unref();
  return { close: () => clearInterval(timer) };
}
