import {
  REFUSAL_REASONS,
  REFUSED_HEADER,
  type RefusalReason,
} from "@treadle/egress/refused-header";
import { socketOwners, tcpSockets, udpSockets } from "./listening-ports.ts";
import type { AskedAt } from "./outside-names.ts";
import { familyOf, readProcesses } from "./process-table.ts";

/** Whose connection it was takes a walk over /proc; a program that is refused without end is not followed for ever. */
const WALKS_PER_SECOND = 20;

const START = Buffer.from("HTTP/1.1 403 ");

export interface Refused {
  host: string;
  reason: RefusalReason;
  /** Id of the command or terminal whose program it was, where that can be told. */
  owner?: string | undefined;
}

/**
 * Sees the proxy's refusals on their way to whoever asked, and finds out whose command that is while it still waits for
 * the answer.
 * @param ids of the commands and terminals that run
 * @returns is told of bytes of an answer, the loopback port of whoever asked, and where it did
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
    // What answers in the proxy's place may have such a header too.
    if (host === "" || !known) return;
    const owner =
      ++walks > WALKS_PER_SECOND ? undefined : ownerOf(clientInode(clientPort, at), options.ids());
    options.onRefused({ host, reason: known, owner });
  };
}

/** The command whose family holds a socket. */
function ownerOf(inode: string | undefined, ids: string[]): string | undefined {
  if (inode === undefined) return undefined;
  const pid = socketOwners(readProcesses().map((row) => row.pid)).get(inode);
  return pid === undefined ? undefined : ids.find((id) => familyOf(undefined, id).includes(pid));
}

function clientInode(clientPort: number, at: AskedAt): string | undefined {
  const hex = (port: number) => `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const sockets = at === "dns" ? udpSockets() : tcpSockets();
  // Who asks for a name may do so without having connected.
  const end = at === "dns" ? "" : hex(at.tcp);
  for (const { local, remote, inode } of sockets)
    if (local.endsWith(hex(clientPort)) && remote.endsWith(end)) return inode;
  return undefined;
}
