import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RecordedExchange } from "@treadle/agent";
import { expect, it, onTestFinished } from "vitest";
import { readRecording, recordRun } from "./kept-recordings.ts";
import type { RecordingHead } from "./types.ts";

it("contains the exchanges of a resumed run in order", async () => {
  const folder = mkdtempSync(join(tmpdir(), "treadle-recordings-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const exchangeOf = (text: string) =>
    ({
      kind: "step",
      request: { system: "s", tools: [], messages: [{ role: "user", content: text }] },
      answer: [],
    }) as unknown as RecordedExchange;
  const names = Array.from({ length: 40 }, (_, index) => `message ${index}`);
  const first = recordRun(folder, "run1");
  first.begin({ run: "run1" } as RecordingHead);
  for (const name of names.slice(0, 30)) first.add(exchangeOf(name));
  await first.settled();
  const second = recordRun(folder, "run1");
  for (const name of names.slice(30)) second.add(exchangeOf(name));
  await second.end("checkpoint");
  const recording = await readRecording(folder, "run1");
  const messages = recording?.exchanges.map(({ request }) => request.messages[0]);
  expect(messages).toEqual(names.map((content) => ({ role: "user", content })));
});
