import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { project } from "../contract.test-support.ts";
import { openStore } from "../open-store.ts";

it("two concurrent compactions of a log both succeed", async () => {
  const directory = mkdtempSync(join(tmpdir(), "treadle-compact-"));
  const store = await openStore({ directory });
  await store.projects.create(project("a"));
  const output = "line\n".repeat(2_000);
  for (let n = 0; n < 3; n++) store.log.append("a", { type: "output", call: "c", text: output });
  store.log.append("a", { type: "call-end", call: "c", status: "ok", title: "Ran", result: output, ms: 1 }); // prettier-ignore
  store.log.append("a", {
    type: "run-end",
    run: "r",
    outcome: "done",
    summary: "",
    revision: "",
    steps: 1,
    usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
    ms: 1,
  });
  await Promise.all([store.log.compact("a"), store.log.compact("a"), store.log.compact("a")]);
  expect((await store.log.read("a", 0)).map(({ seq }) => seq)).toEqual([3, 4, 5]);
  const [entry] = await store.log.readWhole("a", 0);
  expect(entry?.event).toMatchObject({ type: "output", text: output.repeat(3) });
  await store.close();
  rmSync(directory, { recursive: true });
});
