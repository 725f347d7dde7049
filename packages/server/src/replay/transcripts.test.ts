/**
 * The ten transcripts, repeated with this version: what commands, servers and pages gave is given as it was recorded. Where
 * this fails, the model is told something else than it was: look at the difference. If it is meant, `UPDATE_TRANSCRIPTS=1 npx
 * vitest run --project unit packages/server/src/replay/transcripts.test.ts` keeps what it is told now, with what was seen
 * outside then; `e2e/transcripts/record.ts` records all of it anew.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { transcriptDifferences, readTranscript, transcriptLines } from "@treadle/transcripts";
import { replayWithFakes } from "./replay.test-support.ts";

const folder = join(import.meta.dirname, "transcripts");
const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));

/** Instructions and tools are told in every transcript alike, and have tests of their own. */
const ELSEWHERE = new Set(["system", "tools"]);

it("there are ten transcripts of different kinds", () => {
  expect(names.length).toBeGreaterThanOrEqual(10);
});

it.each(names)(
  "%s is told, answered and judged as it was recorded",
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
