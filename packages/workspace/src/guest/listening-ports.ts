import { closeSync, openSync, readFileSync, readSync, readdirSync, readlinkSync } from "node:fs";
import { isForName } from "./outside-names.ts";

const TCP = "/proc/net/tcp";
const TCP6 = "/proc/net/tcp6";
const LISTENING = "0A";
/**
 * A read of fewer bytes than this was the last one: the kernel fills a page with lines, of 150
 * bytes each, before it returns.
 */
const LAST_READ_BYTES = 2_048;
const MAX_READ_BYTES = 64 * 1024;

/**
 * The number of TCP sockets in use in this sandbox, including listening ones. It is worth listing
 * the sockets only if it changed. Undefined if the kernel does not report it.
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

/**
 * Ports that processes of this sandbox listen on, with the socket's inode, from the kernel's table.
 */
export function listeningSockets(): { port: number; inode: string }[] {
  const [v4, v6] = socketsInUse()?.split(" ") ?? [];
  const tables = [...(v4 === "0" ? [] : [TCP]), ...(v6 === "0" ? [] : [TCP6])];
  const found: { port: number; inode: string }[] = [];
  for (const { local, state, inode } of socketsOf(tables))
    if (state === LISTENING && !isForName(local))
      found.push({ port: Number.parseInt(local.slice(local.lastIndexOf(":") + 1), 16), inode });
  return found;
}

/**
 * Every TCP socket of this sandbox in the kernel's format: `ADDRESS:PORT` and state in hexadecimal.
 */
export const tcpSockets = () => socketsOf([TCP, TCP6]);

/** Every UDP socket, in the same format. */
export const udpSockets = () => socketsOf(["/proc/net/udp", "/proc/net/udp6"]);

function* socketsOf(tables: string[]) {
  for (const table of tables) {
    let text: string;
    try {
      text = readTable(table);
    } catch {
      continue;
    }
    for (const line of text.split("\n").slice(1)) {
      const [, local, remote, state, , , , , , inode] = line.trim().split(/\s+/);
      if (local && remote && inode) yield { local, remote, state, inode };
    }
  }
}

/**
 * Reads a whole table of sockets in as few reads as possible. Each read makes the kernel walk its
 * whole table of connections (2 ms at 24 GB of memory), even the one that only finds the end.
 */
function readTable(path: string): string {
  const table = openSync(path, "r");
  try {
    let text = "";
    const bytes = Buffer.allocUnsafe(MAX_READ_BYTES);
    for (;;) {
      const length = readSync(table, bytes);
      text += bytes.toString("latin1", 0, length);
      if (length < LAST_READ_BYTES) return text;
    }
  } finally {
    closeSync(table);
  }
}

/** Maps socket inodes to the pids, among the given ones, that hold them. */
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
