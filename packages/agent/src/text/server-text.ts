import type { ServerState } from "@treadle/protocol";
import { clipMiddle } from "./clip.ts";
import { plainOutput } from "./plain.ts";
import { OUTPUT_LIMIT } from "../tools/limits.ts";

/** The state of a server in one sentence, with its last lines where it crashed. */
export function serverText(server: ServerState): string {
  const ports = server.ports.length > 0 ? ` on port ${server.ports.join(", ")}` : "";
  const tail = server.tail
    ? `\n--- output ---\n${clipMiddle(plainOutput(server.tail).trim(), OUTPUT_LIMIT)}`
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
