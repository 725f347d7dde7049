import type { ServerState } from "@treadle/protocol";
import { clipMiddle } from "./clip.ts";
import { plainOutput } from "@treadle/protocol/safe-text";

/** Characters of the end of its output, which has the cause. */
const TAIL = 8_000;

/** The state of a server in one sentence, with its last lines where it crashed. */
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
