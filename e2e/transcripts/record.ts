/**
 * Records the transcripts of the tests anew: `node scripts/run24.mjs e2e/transcripts/record.ts [NAME…]`. Each seed is played
 * in a real sandbox, looked at in a browser, and written to `packages/server/src/replay/transcripts`. Needs a build, and
 * the registry for those that install something. Read the difference before it is committed: it is what a model is told
 * otherwise from now on.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { replay } from "@treadle/server";
import { SEEDS, type Seed } from "./seeds.ts";
import { TRANSCRIPTS } from "./transcripts.ts";

const names = process.argv.slice(2);
const usage = {
  inputTokens: { total: 10, noCache: 10 },
  outputTokens: { total: 5, text: 5 },
};

for (const [name, seed] of Object.entries(SEEDS)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const data = mkdtempSync(join(tmpdir(), "treadle-record-"));
  const shared = process.env.TREADLE_DATA ?? join(tmpdir(), "treadle-record-shared");
  try {
    const report = await replay(seedLines(name, seed), {
      dataDirectory: data,
      sharedDirectory: shared,
      env: process.env,
      withRecordedWork: false,
    });
    const lines = [...report.lines()];
    writeFileSync(join(TRANSCRIPTS, `${name}.jsonl`), lines.join(""));
    const ends = lines.filter((line) => line.startsWith('{"end"'));
    process.stdout.write(`${name}: ${ends.join("  ")}`);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

/** The seed as a transcript of nothing but answers. */
function seedLines(name: string, seed: Seed): string {
  const { files = {}, dialect = "native", provider = "fake", approvals = "auto", turns } = seed;
  const lines: object[] = [{ transcript: 1, treadle: "0", name }, { files }];
  lines.push({ piece: "none", value: "" }, { piece: "no-tools", value: [] });
  for (const { text, mode, answers, given = [] } of turns) {
    const [maker] = provider.split(".");
    lines.push({
      turn: {
        asked: { text, mode },
        pictures: [],
        model: {
          id: `${maker}:recorded`,
          provider,
          modelId: "recorded",
          dialect,
          takesTemperature: true,
        },
        settings: { hosts: [], approvals: { mode: approvals, always: [] }, verdicts: "thorough" },
        changed: {},
      },
    });
    for (const parts of answers) {
      const unified = parts.some(({ type }) => type === "tool-call") ? "tool-calls" : "stop";
      const finish = { type: "finish", finishReason: { unified, raw: unified }, usage };
      const answer = [...parts, finish];
      lines.push({
        exchange: { kind: "step", system: "none", tools: "no-tools", messages: [], answer },
      });
    }
    lines.push(...given.map((answer) => ({ answer })));
    lines.push({ end: { outcome: "done", summary: "", steps: answers.length } });
  }
  return lines.map((line) => JSON.stringify(line)).join("\n");
}
