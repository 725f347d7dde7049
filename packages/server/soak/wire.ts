/**
 * Cuts who follows a session at each event and each byte of it, by server-sent events and by WebSocket:
 * `node packages/server/soak/wire.ts [MINUTES] [FIRST_BYTE]`. Needs a build. Prints what a reader saw otherwise.
 */
import { tryCut, SESSION } from "../src/api/wire.test-support.ts";
import { startTestServer } from "../src/server.test-support.ts";

const minutes = Number(process.argv[2] ?? 10);
const first = Number(process.argv[3] ?? 1);
const end = performance.now() + minutes * 60_000;
/** The size of the session in bytes, head included; there is nothing to cut after it. */
const BYTES = 4_000;

const server = await startTestServer();
const { port } = await server.listen();
let cuts = 0;
let failed = 0;
const tried = async (cut: Parameters<typeof tryCut>[2]) => {
  cuts++;
  const problems = await tryCut(server, port, cut);
  if (problems.length === 0) return;
  failed++;
  if (failed <= 10) console.log(JSON.stringify(cut), problems.join("\n"));
};
for (const transport of ["events", "socket"] as const)
  for (let events = 1; events <= SESSION.length + 3; events++) await tried({ transport, events });
let bytes = first;
for (; bytes <= BYTES && performance.now() < end; bytes++)
  for (const transport of ["events", "socket"] as const) await tried({ transport, bytes });
await server.close();
console.log(`${cuts} cuts, bytes ${first} to ${bytes - 1}, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
