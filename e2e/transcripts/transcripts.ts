import { join } from "node:path";

/** The folder of the tests' transcripts, each a file that ends in `.jsonl`. */
export const TRANSCRIPTS = join(
  import.meta.dirname,
  "../../packages/server/src/replay/transcripts",
);
