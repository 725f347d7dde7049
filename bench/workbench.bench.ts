/**
 * How the workbench feels where there is much of something: a terminal that prints 100 MB, a chat of 1,000 messages, keys
 * typed while a file is streamed, 200 turns in one page, a change of an element in the preview. Real Chromium, the built
 * server, the scripted model; figures beside their aims, nothing asserted. Words after `--` choose: `-- --only output`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createScriptedModel, loadScript, testScript } from "@treadle/scripted-model";
import type { Browser } from "playwright-core";
import { startBrowser } from "../e2e/support/browser.ts";
import { root, scriptedBy, startTreadle, type RunningTreadle } from "../e2e/support/treadle.ts";
import { measureLongChat, writeLongChat } from "./workbench/long-chat.ts";
import { measureManyTurns } from "./workbench/many-turns.ts";
import { measureOutput } from "./workbench/output-flood.ts";
import { measureTyping } from "./workbench/typing.ts";
import { measureVisualEdit } from "./workbench/visual-edit.ts";

type Measure = (browser: Browser, treadle: RunningTreadle) => Promise<string[]>;

const answers = join(root, "bench/workbench/scripts/answers.md");
const page = join(root, "e2e/scripts/preview.md");
const MEASURES: Record<string, { script: string; pace?: number; measure: Measure }> = {
  output: { script: answers, measure: measureOutput },
  chat: { script: answers, measure: measureLongChat },
  typing: { script: testScript("big-file"), pace: 20_000, measure: measureTyping },
  visual: { script: page, measure: measureVisualEdit },
  turns: { script: answers, measure: measureManyTurns },
};

const only = process.argv[process.argv.indexOf("--only") + 1];
const print = (line: string) => process.stdout.write(`${line}\n`);
for (const [name, { script, pace, measure }] of Object.entries(MEASURES)) {
  if (process.argv.includes("--only") && only !== name) continue;
  const data = mkdtempSync(join(tmpdir(), "treadle-bench-"));
  if (name === "chat") await writeLongChat(data);
  const model = await createScriptedModel({
    script: loadScript(script),
    pace: pace === undefined ? undefined : { charactersPerSecond: pace },
  });
  const treadle = await startTreadle({ data, env: scriptedBy(model) });
  const browser = await startBrowser();
  try {
    for (const line of await measure(browser, treadle)) print(line);
  } finally {
    await browser.close();
    await treadle.stop();
    await model.close();
    rmSync(data, { recursive: true, force: true });
  }
}
