/**
 * Drives the page's state machine of an open file through random interleavings: `node apps/web/soak/lives.ts [MINUTES]
 * [FIRST_SEED]`, ten minutes by default. Prints the seeds used and each that failed, with the shortest failing
 * interleaving.
 */
import { soakInterleavings } from "@treadle/protocol/testing";
import { fileWorld } from "../src/files/file-world.test-support.ts";

const [minutes = "10", firstSeed] = process.argv.slice(2);
const held = soakInterleavings("open file", fileWorld, {
  minutes: Number(minutes),
  ...(firstSeed === undefined ? {} : { firstSeed: Number(firstSeed) }),
  print: (line) => process.stdout.write(`${line}\n`),
});
process.exit(held ? 0 : 1);
