import { readFileSync, readdirSync, readlinkSync } from "node:fs";
import { isForName } from "./outside-names.ts";

const LISTENING = "0A";

/**
 * How many TCP sockets of this sandbox are in use, those that listen among them: another number means that it is worth
 * listing them. Undefined where the kernel does not say.
 */
export function socketsInUse(): string | undefined {
  try {
    return ["/proc/net/sockstat", "/proc/net/sockstat6"]
      .map((table) => /^TCP6?: inuse (\d+)/m.exec(readFileSync(table, "latin1"))![1])
      .join(" ");
  } catch {
    return undefined;
  }
}

/** Ports that processes of this sandbox listen on, with the socket's inode, from the kernel's own table. */
export function listeningSockets(): { port: number; inode: string }[] {
  const found: { port: number; inode: string }[] = [];
  for (const { local, state, inode } of tcpSockets())
    if (state === LISTENING && !isForName(local))
      found.push({ port: Number.parseInt(local.slice(local.lastIndexOf(":") + 1), 16), inode });
  return found;
}

/** Every TCP socket of this sandbox as the kernel writes it: `ADDRESS:PORT` and state in hexadecimal. */
export const tcpSockets = () => socketsOf(["/proc/net/tcp", "/proc/net/tcp6"]);

/** The same of UDP. */
export const udpSockets = () => socketsOf(["/proc/net/udp", "/proc/net/udp6"]);

function* socketsOf(tables: string[]) {
  for (const table of tables) {
    let text: string;
    try {
      text = readFileSync(table, "latin1");
    } catch {
      continue;
    }
    for (const line of text.split("\n").slice(1)) {
      const [, local, remote, state, , , , , , inode] = line.trim().split(/\s+/);
      if (local && remote && inode) yield { local, remote, state, inode };
    }
  }
}

/** Which of these pids holds which socket inode. */
export function socketOwners(pids: number[]): Map<string, number> {
  const owners = new Map<string, number>();
  for (const pid of pids) {
    let descriptors: string[];
    try {
      descriptors = readdirSync(`/proc/${pid}/fd`);
    } catch {
      continue;
    }
    for (const descriptor of descriptors) {
      try {
        const target = readlinkSync(`/proc/${pid}/fd/${descriptor}`);
        if (target.startsWith("socket:[")) owners.set(target.slice(8, -1), pid);
      } catch {
        continue;
      }
    }
  }
  return owners;
}
