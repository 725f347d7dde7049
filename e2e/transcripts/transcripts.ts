import { join } from "node:path";

/** Where the transcripts of the tests lie, each a file that ends in `.jsonl`. */
export const TRANSCRIPTS = join(
  import.meta.dirname,
  "../../packages/server/src/replay/transcripts",
);
