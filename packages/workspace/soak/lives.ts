/**
 * Drives the state machines of the supervisor, a guest's end and a PostgreSQL server through random interleavings:
 * `node packages/workspace/soak/lives.ts [MINUTES] [FIRST_SEED]`, ten minutes of each by default. Prints the seeds it used and each one that failed, with the shortest interleaving
 * that fails.
 */
import { soakInterleavings } from "@treadle/protocol/testing";
import { guestEndWorld } from "../src/local/guest-end-lifecycle.test-support.ts";
import { serverWorld } from "../src/local/own-postgres/server-lifecycle.test-support.ts";
import { supervisorWorld } from "../src/guest-workspace/supervisor-lifecycle.test-support.ts";

const minutes = Number(process.argv[2] ?? 10);
const firstSeed = process.argv[3] === undefined ? undefined : Number(process.argv[3]);
const options = { minutes, firstSeed, print: (line: string) => console.log(line) };
const held = [
  soakInterleavings("supervisor", supervisorWorld, options),
  soakInterleavings("guest's end", guestEndWorld, options),
  soakInterleavings("PostgreSQL server", serverWorld, options),
];
process.exit(held.includes(false) ? 1 : 0);
