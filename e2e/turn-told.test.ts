import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createScriptedModel, type ScriptedModel } from "@treadle/scripted-model";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runTreadle } from "./support/run-treadle.ts";

/**
 * A working page, a command that crashes, a watcher that crashed, a refused write, and a write that
 * is cut off and never repeated.
 */
const BAD = `<boltArtifact id="a" title="A page">
<boltAction type="file" filePath="index.html">
<!doctype html><html lang="en"><head><title>T</title></head><body><h1>Hello</h1></body></html>
</boltAction>
<boltAction type="file" filePath="crash.js">
throw new Error("boom");
</boltAction>
<boltAction type="shell">node crash.js</boltAction>
<boltAction type="shell">node --watch crash.js</boltAction>
<boltAction type="file" filePath="/etc/motd">
no
</boltAction>
<boltAction type="file" filePath="notes.txt">
half of it`;

let model: ScriptedModel;
const made = mkdtempSync(join(tmpdir(), "treadle-told-"));
beforeAll(async () => {
  model = await createScriptedModel({
    script: {
      name: "bad turn",
      steps: [
        { name: "bad", when: [{ type: "turn", number: 1, orLater: false, not: false }], parts: [{ type: "say", text: BAD }] },
      ],
      otherwise: [{ type: "say", text: "All is done." }],
    },
  }); // prettier-ignore
});
afterAll(async () => {
  await model?.close();
  rmSync(made, { recursive: true, force: true });
});

// Waiting for a watcher like for any quiet command would take two minutes.
it("--json names a turn's problems: a crashed command, a crashed watcher, a cut-off write, a refused call", async () => {
  const { stdout, code } = await runTreadle(
    ["run", "Build a page", "--dialect", "artifact", "--json", "--dir", join(made, "app"), "--data", join(made, "data")],
    {
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_API_KEY: "test",
      TREADLE_MODEL: "openai-compatible:scripted",
    },
  ); // prettier-ignore
  const result = JSON.parse(stdout.trim().split("\n").at(-1)!);
  expect(result).toMatchObject({
    type: "result",
    verdict: "unverified",
    summary: expect.stringContaining("notes.txt was cut off while it was written"),
    evidence: {
      turn: [
        { said: "node crash.js failed with 1", takesAway: false },
        { said: "node --watch crash.js failed with 1", takesAway: false },
        { said: expect.stringContaining('The path "/etc/motd" is refused'), takesAway: false },
        { said: expect.stringContaining("notes.txt was cut off"), takesAway: true },
      ],
    },
  });
  expect(code).toBe(3);
}, 180_000);
