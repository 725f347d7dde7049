import type { ListeningPort } from "../wire/types.ts";
import { listeningSockets, socketOwners } from "./listening-ports.ts";
import type { Processes } from "./processes.ts";

/** A server is shown within one of these; reading the kernel's table costs about 0.1 ms. */
const EVERY_MS = 60;

/** Tells of the ports that are listened on whenever they change, while commands run. */
export function watchPorts(options: {
  processes: Processes;
  /** Ports that the guest itself listens on. */
  own: number[];
  onPorts: (ports: ListeningPort[]) => void;
}): void {
  let last = "[]";
  let lastSockets = "";
  setInterval(() => {
    const sockets = listeningSockets().filter(({ port }) => !options.own.includes(port));
    const key = sockets.map(({ inode }) => inode).join(" ");
    // Whose socket it is takes a walk over /proc, so only when there is something new.
    if (key === lastSockets) return;
    lastSockets = key;
    const ports: ListeningPort[] = [];
    const families = options.processes.families();
    const owners = socketOwners(families.flatMap(({ pids }) => pids));
    for (const { port, inode } of sockets) {
      if (ports.some((known) => known.port === port)) continue;
      const pid = owners.get(inode);
      const owner =
        pid === undefined ? undefined : families.find(({ pids }) => pids.includes(pid))?.id;
      ports.push({ port, ...(owner !== undefined && { process: owner }) });
    }
    const text = JSON.stringify(ports);
    if (text === last) return;
    last = text;
    options.onPorts(ports);
  }, EVERY_MS).unref();
}
