import type { ListeningPort } from "../wire/messages.ts";
import { listeningSockets, socketOwners, socketsInUse } from "./listening-ports.ts";
import type { Processes } from "./processes.ts";

/**
 * Interval in which a new server is noticed while something is going on. With its timer, reading the number of sockets takes
 * 0.4 ms of a processor.
 */
const EVERY_MS = 60;
/**
 * The same interval while nothing is going on: at `EVERY_MS`, a project that only waits took 0.7 % of a processor, all
 * day long.
 */
const QUIET_EVERY_MS = 500;
/** How long after a command's start or end, or after `stir`, something counts as going on. */
const STIRRED_MS = 2_000;
/** Interval for a full listing: a socket that replaces another may leave their number unchanged. */
const ANYWAY_MS = 5_000;
/**
 * How long after a command's start or end such a replacement is likely, and looks are more
 * frequent.
 */
const LIKELY_MS = 10_000;
const LIKELY_ANYWAY_MS = 3_000;
/** Delay before the next look after one that found a port without a known owner: its owner may be known by then. */
const UNOWNED_MS = 250;
/**
 * Listing sockets walks the kernel's table of connections, whose size depends on the machine's
 * memory (3 ms each for IPv4 and IPv6 at 24 GB), however few there are. The pause after a look is
 * this many times its duration.
 */
const REST = 20;
/**
 * The same once a command's ports and their owners are known. Each request to the app opens a socket as well, and a look
 * after each took up to 5 % of a processor.
 */
const FOUND_REST = 60;
/**
 * Upper limit of the pause, in milliseconds: a look that took longer than usual waited for a busy
 * processor.
 */
const MOST_REST_MS = 1_000;

/** The earliest time of the next look, after one that began at `began`. */
const restUntil = (began: number, rest: number) =>
  began + Math.min(rest * (performance.now() - began), MOST_REST_MS);

const kernel = { inUse: socketsInUse, listening: listeningSockets, owners: socketOwners };

/**
 * Reports the listening ports whenever they change: within 60 ms while something is going on, else within half a second.
 */
export function watchPorts(options: {
  processes: Pick<Processes, "families" | "list">;
  /** Ports that the guest itself listens on. */
  own: number[];
  onPorts: (ports: ListeningPort[]) => void;
  /** Queries about sockets; tests pass their own. */
  asks?: typeof kernel;
}): {
  /** Call when something is going on, such as output of a program. This is cheap, so it may be called often. */
  stir(): void;
  close(): void;
} {
  const { inUse, listening, owners: ownersOf } = options.asks ?? kernel;
  let last = "[]";
  let lastInUse: string | undefined;
  /**
   * The inodes of the sockets at the last look; undefined if an owner was unknown, so that the next look examines them
   * again. An empty text would not do, because it means that there was no socket.
   */
  let lastSockets: string | undefined = "";
  let notBefore = 0;
  let rest = REST;
  let overdue = 0;
  let lastCommands = "";
  let likelyUntil = 0;
  let stirredUntil = performance.now() + STIRRED_MS;
  let isQuiet = false;
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    const now = performance.now();
    const commands = options.processes
      .list()
      .map(({ id }) => id)
      .join();
    if (commands !== lastCommands) {
      lastCommands = commands;
      likelyUntil = now + LIKELY_MS;
      stirredUntil = now + STIRRED_MS;
      overdue = 0;
      notBefore = 0;
      rest = REST;
    }
    const used = inUse();
    const changed = used === undefined || used !== lastInUse;
    if (now < notBefore || (!changed && now < overdue)) return;
    lastInUse = used;
    const sockets = listening().filter(({ port }) => !options.own.includes(port));
    notBefore = restUntil(now, rest);
    overdue = now + (now < likelyUntil ? LIKELY_ANYWAY_MS : ANYWAY_MS);
    const key = sockets.map(({ inode }) => inode).join(" ");
    // Finding the owner of a socket takes a walk over /proc, so do it only for changes.
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
    // The owner of a port may only be known with the command's next process: nothing else would
    // trigger another look.
    const isKnown = ports.every(({ process }) => process !== undefined);
    lastSockets = isKnown || now >= likelyUntil ? key : undefined;
    if (!isKnown && now < likelyUntil) overdue = now + UNOWNED_MS;
    rest = isKnown && ports.length > 0 ? FOUND_REST : REST;
    notBefore = restUntil(now, rest);
    const text = JSON.stringify(ports);
    if (text === last) return;
    last = text;
    options.onPorts(ports);
  };
  const lookLater = () => {
    isQuiet = performance.now() > stirredUntil;
    timer = setTimeout(
      () => {
        look();
        lookLater();
      },
      isQuiet ? QUIET_EVERY_MS : EVERY_MS,
    ).unref();
  };
  lookLater();
  return {
    stir() {
      stirredUntil = performance.now() + STIRRED_MS;
      if (!isQuiet) return;
      clearTimeout(timer);
      lookLater();
    },
    close: () => clearTimeout(timer),
  };
}
