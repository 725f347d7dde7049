import type { ServerState } from "@treadle/protocol";
import { clipMiddle } from "./clip.ts";
import { plainOutput } from "@treadle/protocol/safe-text";

/** Maximum characters of the server's output. */
const TAIL = 8_000;

/** Describes a server's state in one sentence, with its last lines of output unless it is up. */
export function serverText(server: ServerState): string {
  const ports = server.ports.length > 0 ? ` on port ${server.ports.join(", ")}` : "";
  const tail = server.tail
    ? `\n--- output ---\n${clipMiddle(plainOutput(server.tail).trim(), TAIL)}`
    : "";
  switch (server.state) {
    case "up":
      return `The server is up${ports}.`;
    case "starting":
      return `The server has started but answered no request yet${ports}.${tail}`;
    case "stopped":
      return `The server is stopped.${tail}`;
    case "crashed":
      return `The server crashed${server.exitCode === undefined ? "" : ` with exit code ${server.exitCode}`}.${tail}`;
  }
}
