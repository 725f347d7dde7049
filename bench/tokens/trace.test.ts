import { expect, it } from "vitest";
import { createCounter } from "./count.ts";
import { countOurs } from "./ours.ts";
import { apply, readTrace } from "./trace.ts";

const trace = readTrace();

it("every edit of the trace fits exactly once, into a file that was read before", () => {
  expect(Object.keys(trace.files)).toHaveLength(40);
  expect(trace.turns).toHaveLength(20);
  const seen = new Set<string>();
  let now = trace.files;
  for (const turn of trace.turns) {
    for (const path of turn.reads) seen.add(path);
    for (const { path, edits } of turn.edits) {
      expect(seen).toContain(path);
      let text = now[path]!;
      for (const { old, new: next } of edits) {
        expect(text.split(old), `${path}: ${old}`).toHaveLength(2);
        text = text.replace(old, () => next);
      }
    }
    now = apply(now, turn);
  }
});

it("the loop makes the files that the trace says, each turn seen to run, and only ever adds to what it sends", async () => {
  const { verdicts, files, sent } = await countOurs(trace);
  expect(new Set(verdicts)).toEqual(new Set(["runs"]));
  expect(files).toMatchObject(trace.turns.reduce(apply, trace.files));
  for (const [at, request] of sent.entries())
    if (at > 0) expect(request.startsWith(sent[at - 1]!)).toBe(true);
});

it("a prefix counts as cached in whole blocks, and not below the least", () => {
  const count = createCounter();
  count.add("a".repeat(4 * 1_300), "");
  count.add("a".repeat(4 * 1_300) + "b".repeat(400), "four");
  count.add("a".repeat(4 * 1_000), "");
  expect(count).toMatchObject({ requests: 3, cached: 1_280, output: 1 });
  expect(count.fresh).toBe(1_300 + 120 + 1_000);
});
