import { REFUSAL_REASONS, type RefusalReason } from "../types.ts";
import { REFUSED_HEADER } from "../wire/refused-header.ts";
import { socketOwners, tcpSockets } from "./listening-ports.ts";
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
 * @param proxyPort loopback port of the proxy in here
 */
export function createRefusalWatch(options: {
  ids(): string[];
  proxyPort: number;
  onRefused(refused: Refused): void;
}): (bytes: Buffer, clientPort: number) => void {
  let walks = 0;
  setInterval(() => (walks = 0), 1_000).unref();
  return (bytes, clientPort) => {
    if (!bytes.subarray(0, START.length).equals(START)) return;
    const head = bytes.toString("latin1", 0, 1_024).split("\r\n\r\n", 1)[0]!;
    const [, reason = "", host = ""] =
      new RegExp(`^${REFUSED_HEADER}: ([a-z-]+) (\\S+)$`, "im").exec(head) ?? [];
    const known = REFUSAL_REASONS.find((one) => one === reason);
    // What answers in the proxy's place may have such a header too.
    if (host === "" || !known) return;
    const owner =
      ++walks > WALKS_PER_SECOND
        ? undefined
        : ownerOf(clientPort, options.proxyPort, options.ids());
    options.onRefused({ host, reason: known, owner });
  };
}

/** The command whose family holds the client's end of a connection to the proxy. */
function ownerOf(clientPort: number, proxyPort: number, ids: string[]): string | undefined {
  const inode = clientInode(clientPort, proxyPort);
  if (inode === undefined) return undefined;
  const pid = socketOwners(readProcesses().map((row) => row.pid)).get(inode);
  return pid === undefined ? undefined : ids.find((id) => familyOf(undefined, id).includes(pid));
}

function clientInode(clientPort: number, proxyPort: number): string | undefined {
  const hex = (port: number) => `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  for (const { local, remote, inode } of tcpSockets())
    if (local.endsWith(hex(clientPort)) && remote.endsWith(hex(proxyPort))) return inode;
  return undefined;
}
