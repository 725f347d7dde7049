/**
 * Drives the supervisor's state machine through random interleavings: `node packages/workspace/soak/lives.ts [MINUTES]
 * [FIRST_SEED]`, ten minutes by default. Prints the seeds it used and each one that failed, with the shortest interleaving
 * that fails.
 */
import { soakInterleavings } from "@treadle/protocol/testing";
import { supervisorWorld } from "../src/guest-workspace/supervisor-lifecycle.test-support.ts";

const minutes = Number(process.argv[2] ?? 10);
const firstSeed = process.argv[3] === undefined ? undefined : Number(process.argv[3]);
const held = soakInterleavings("supervisor", supervisorWorld, {
  minutes,
  firstSeed,
  print: (line) => console.log(line),
});
process.exit(held ? 0 : 1);
