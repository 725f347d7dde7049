/**
 * A child process that is one of several servers: `… DIRECTORY DATABASE ADDRESS LEASE_MS`. Its runs write numbered texts
 * until they are stopped, or as many as the message says. Prints its port and token.
 */
import { setTimeout as delay } from "node:timers/promises";
import { PUBLIC } from "../access/public.test-support.ts";
import { startTestServer } from "../server.test-support.ts";

const [directory = "", database = "", address = "", leaseMs = ""] = process.argv.slice(2);
const server = await startTestServer(directory, {
  team: true,
  env: PUBLIC,
  database,
  cluster: { address, secret: "s".repeat(32), leaseMs: Number(leaseMs) },
});
server.turns.push(async ({ run, message, signal }, _ports, { emit }) => {
  const asked = message.parts.flatMap((part) => (part.type === "text" ? part.text : [])).join("");
  const count = Number(/\d+/.exec(asked)?.[0] ?? Number.POSITIVE_INFINITY);
  for (let n = 1; n <= count; n++) {
    emit({ type: "text", run, id: run, text: `${process.pid}:${n} ` });
    await delay(10, undefined, { signal });
  }
});
const { port } = await server.listen();
process.stdout.write(`${JSON.stringify({ port, token: server.treadle.token })}\n`);
process.once("SIGTERM", () => {
  void server.close().then(() => process.exit(0));
});
