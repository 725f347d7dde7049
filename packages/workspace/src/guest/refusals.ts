import {
  REFUSAL_REASONS,
  REFUSED_HEADER,
  type RefusalReason,
} from "@treadle/egress/refused-header";
import { socketOwners, tcpSockets, udpSockets } from "./listening-ports.ts";
import type { AskedAt } from "./outside-names.ts";
import { familyOf, readProcesses } from "./process-table.ts";

/**
 * Finding the owner of a connection takes a walk over /proc; this limits it for a program that is
 * refused again and again.
 */
const WALKS_PER_SECOND = 20;

const START = Buffer.from("HTTP/1.1 403 ");

export interface Refused {
  host: string;
  reason: RefusalReason;
  /** Id of the command or terminal that ran the program, if it is known. */
  owner?: string | undefined;
}

/**
 * Detects the proxy's refusals in responses, and finds the command that made the request while it
 * still waits.
 * @param ids of the running commands and terminals
 * @returns a function that takes bytes of a response, the loopback port of the requesting program,
 * and where it asked
 */
export function createRefusalWatch(options: {
  ids(): string[];
  onRefused(refused: Refused): void;
}): (bytes: Buffer, clientPort: number, at: AskedAt) => void {
  let walks = 0;
  setInterval(() => (walks = 0), 1_000).unref();
  return (bytes, clientPort, at) => {
    if (!bytes.subarray(0, START.length).equals(START)) return;
    const head = bytes.toString("latin1", 0, 1_024).split("\r\n\r\n", 1)[0]!;
    const [, reason = "", host = ""] =
      new RegExp(`^${REFUSED_HEADER}: ([a-z-]+) (\\S+)$`, "im").exec(head) ?? [];
    const known = REFUSAL_REASONS.find((one) => one === reason);
    // A response that did not come from the proxy may have such a header too.
    if (host === "" || !known) return;
    const owner =
      ++walks > WALKS_PER_SECOND ? undefined : ownerOf(clientInode(clientPort, at), options.ids());
    options.onRefused({ host, reason: known, owner });
  };
}

/** Id of the command whose family holds a socket; undefined if there is none. */
function ownerOf(inode: string | undefined, ids: string[]): string | undefined {
  if (inode === undefined) return undefined;
  const pid = socketOwners(readProcesses().map((row) => row.pid)).get(inode);
  return pid === undefined ? undefined : ids.find((id) => familyOf(undefined, id).includes(pid));
}

function clientInode(clientPort: number, at: AskedAt): string | undefined {
  const hex = (port: number) => `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const sockets = at === "dns" ? udpSockets() : tcpSockets();
  // A program may query a name without having connected.
  const end = at === "dns" ? "" : hex(at.tcp);
  for (const { local, remote, inode } of sockets)
    if (local.endsWith(hex(clientPort)) && remote.endsWith(end)) return inode;
  return undefined;
}
