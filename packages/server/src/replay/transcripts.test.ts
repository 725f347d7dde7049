/**
 * Replays the ten transcripts with this version, with recorded results of commands, servers and
 * pages. A failure means that the model would be told something different: look at the difference.
 * If it is intended, `UPDATE_TRANSCRIPTS=1 npx vitest run --project unit
 * packages/server/src/replay/transcripts.test.ts` records the new text with the old results;
 * `e2e/transcripts/record.ts` records everything anew.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { transcriptDifferences, readTranscript, transcriptLines } from "@treadle/transcripts";
import { replayWithFakes } from "./replay.test-support.ts";

const folder = join(import.meta.dirname, "transcripts");
const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));

/** Instructions and tools are the same in every transcript, and have tests of their own. */
const ELSEWHERE = new Set(["system", "tools"]);

it("there are ten transcripts of different kinds", () => {
  expect(names.length).toBeGreaterThanOrEqual(10);
});

it.each(names)(
  "%s: messages, responses and verdict are as recorded",
  async (name) => {
    const transcript = readTranscript(readFileSync(join(folder, name), "utf8"));
    const again = await replayWithFakes(transcript);
    if (process.env["UPDATE_TRANSCRIPTS"] !== undefined)
      return writeFileSync(join(folder, name), [...transcriptLines(again)].join(""));
    const found = transcriptDifferences(transcript, again);
    expect(found.filter(({ kind }) => !ELSEWHERE.has(kind))).toEqual([]);
  },
  60_000,
);
