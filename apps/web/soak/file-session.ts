/**
 * Drives the lifecycle of a file in the editor at random: `node apps/web/soak/file-session.ts [MINUTES] [FIRST_SEED]`, ten
 * minutes by default. Prints its seeds and each interleaving that broke an invariant.
 */
import { soakInterleavings } from "@treadle/protocol/testing";
import { fileWorld } from "../src/files/file-world.test-support.ts";

const [minutes = "10", firstSeed] = process.argv.slice(2);
const isWhole = soakInterleavings("FileSession", fileWorld, {
  minutes: Number(minutes),
  ...(firstSeed === undefined ? {} : { firstSeed: Number(firstSeed) }),
  print: (line) => process.stdout.write(`${line}\n`),
});
process.exit(isWhole ? 0 : 1);
