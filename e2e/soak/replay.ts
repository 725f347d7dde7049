/**
 * `npm run soak replay`: every transcript of the tests, repeated in a real sandbox and looked at in a browser. Fails where
 * results, evidence or verdicts are others than recorded; what differs in prompts is only printed. Needs a build and, for
 * those that install something, a registry. The order in which checks of one look end is not the same each time.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { replay } from "@treadle/server";
import { TRANSCRIPTS } from "../transcripts/transcripts.ts";

const shared = process.env.TREADLE_DATA ?? mkdtempSync(join(tmpdir(), "treadle-replay-shared-"));
let failed = 0;
for (const file of readdirSync(TRANSCRIPTS).filter((name) => name.endsWith(".jsonl"))) {
  const data = mkdtempSync(join(tmpdir(), "treadle-replay-"));
  try {
    const { differences } = await replay(readFileSync(join(TRANSCRIPTS, file), "utf8"), {
      dataDirectory: data,
      sharedDirectory: shared,
      env: process.env,
      withRecordedWork: false,
    });
    const wrong = differences.filter(({ kind }) => kind !== "system" && kind !== "tools");
    if (wrong.length > 0) failed++;
    process.stdout.write(`${wrong.length === 0 ? "ok  " : "FAIL"} ${file}\n`);
    for (const { turn, kind, where, diff } of differences)
      process.stdout.write(`turn ${turn}, ${kind} (${where})\n${diff}\n`);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}
if (process.env.TREADLE_DATA === undefined) rmSync(shared, { recursive: true, force: true });
process.exit(failed === 0 ? 0 : 1);
