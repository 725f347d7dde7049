import { connect, type Socket } from "node:net";
import { hostname } from "node:os";
import { connect as connectTls } from "node:tls";
import type { AuditEntry } from "@treadle/protocol";

export interface SyslogTarget {
  host: string;
  port: number;
  tls: boolean;
}

/** Facility 13 (log audit), severity 5 (notice): RFC 5424, 6.2.1. */
const PRIORITY = 13 * 8 + 5;
/** Maximum length of a message's identifier (MSGID), which consists of printable ASCII characters. */
const ID_CHARS = 32;
/** Time without activity after which the connection is closed with an error, in milliseconds. */
const SILENCE_MS = 30_000;

/** Formats an entry as a message of RFC 5424, with the entry as JSON in UTF-8 for its text. */
export function syslogMessage(entry: AuditEntry, host: string, process: number): Buffer {
  const id = entry.action.replace(/[^\x21-\x7e]/g, "").slice(0, ID_CHARS) || "-";
  const time = new Date(entry.at).toISOString();
  const name = host.replace(/[^\x21-\x7e]/g, "") || "-";
  const head = `<${PRIORITY}>1 ${time} ${name} treadle ${process} ${id} - `;
  return Buffer.from(`${head}\ufeff${JSON.stringify(entry)}`);
}

/**
 * Sends entries to a syslog server over TCP or TLS, framed by their lengths (RFC 6587, 3.4.1; RFC 5425, 4.3).
 * Resolves once the server has closed its side in turn. Syslog has no acknowledgement: entries that the server
 * loses after that are lost.
 */
export async function sendSyslog(
  { host, port, tls }: SyslogTarget,
  entries: readonly AuditEntry[],
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket: Socket = tls ? connectTls({ host, port, servername: host }) : connect({ host, port }); // prettier-ignore
  const abort = () => socket.destroy(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error(`${host}:${port} is silent.`)));
  socket.once("error", reject);
  socket.once(tls ? "secureConnect" : "connect", () => {
    for (const entry of entries) {
      const message = syslogMessage(entry, hostname(), process.pid);
      socket.write(Buffer.concat([Buffer.from(`${message.byteLength} `), message]));
    }
    socket.end();
  });
  socket.once("close", (hadError: boolean) => !hadError && resolve());
  socket.resume();
  try {
    await promise;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
