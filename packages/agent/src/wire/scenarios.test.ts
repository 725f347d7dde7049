import {
  createScriptedModel,
  loadScript,
  testScript,
  type TestScript,
} from "@treadle/scripted-model";
import type { DialectName, Verdict } from "@treadle/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createModelRegistry } from "../models/registry.ts";
import { orderProblems } from "../testing/check-order.test-support.ts";
import { createFaultyApp, browserAt } from "../testing/faulty-app.test-support.ts";
import { ofType, tryRun } from "../testing/try-run.test-support.ts";

interface Scenario {
  script: TestScript;
  what: string;
  verdict: Verdict;
  /** The expected repair requests, in order. */
  repairs: RegExp[];
  summary?: RegExp;
  /** A file in the best revision, if the run ends worse than that. */
  best?: { path: string; has: string };
}

/**
 * Failures, the number of repairs that follow, and how the turn ends: the same in every dialect and over every wire.
 */
const SCENARIOS: Scenario[] = [
  {
    script: "type-error",
    what: "a type error is mended",
    verdict: "runs",
    repairs: [/npm run build ended with 2/],
  },
  {
    script: "click",
    what: "a page that throws after a click fails its check and is mended",
    verdict: "verified",
    repairs: [/“Counts” failed at the page threw counted is not defined/],
  },
  {
    script: "blank",
    what: "a blank page is mended",
    verdict: "runs",
    repairs: [/page \/ is blank/],
  },
  {
    script: "dying-server",
    what: "a server that dies of a request is mended",
    verdict: "runs",
    repairs: [/answered no request|crashed/],
  },
  {
    script: "early-done",
    what: "a done that came too early is answered with the evidence",
    verdict: "runs",
    repairs: [/npm run build ended with 1/],
  },
  {
    script: "flaky-install",
    what: "an install that fails once is tried again, and nobody has to mend anything",
    verdict: "runs",
    repairs: [],
  },
  {
    script: "worse",
    what: "a repair that makes it worse is told, and the best revision offered",
    verdict: "failed",
    repairs: [/“Counts” failed/, /startCounting is not/, /startCounting is not/],
    summary:
      /^Failed: uncaught: startCounting is not defined; nothing was changed after the failure was told, and it is still there\. Tried: 1\. .*index\.html/,
    best: { path: "index.html", has: "++counted" },
  },
  {
    script: "hopeless",
    what: "what cannot be mended ends after bounded tries, and says so",
    verdict: "failed",
    repairs: [/npm run build ended with 1/, /npm run build ended with 1/],
    summary: /Tried: 1\. .*style\.css; 2\. .*style\.css/,
  },
];

const WAYS: [DialectName, string][] = [
  ["native", "anthropic"],
  ["native", "openai"],
  ["native", "openai-compatible"],
  ["artifact", "openai-compatible"],
  ["tags", "anthropic"],
];

const NAMES: TestScript[] = ["react-doom", ...SCENARIOS.map(({ script }) => script)];
let upstream: Awaited<ReturnType<typeof createScriptedModel>>;
beforeAll(async () => {
  const script = Object.fromEntries(NAMES.map((name) => [name, loadScript(testScript(name))]));
  upstream = await createScriptedModel({ script, deltaSize: 40 });
});
afterAll(() => upstream.close());

async function play(script: TestScript, dialect: DialectName, wire: string) {
  const address = upstream.url;
  const registry = createModelRegistry({ env: {}, keys: new Map([[wire, { key: "k", address }]]) });
  const resolved = await registry.resolve(`${wire}:${script}`);
  if (!resolved.ok) throw new Error(resolved.error.message);
  const workspace = createFaultyApp();
  const tried = await tryRun(resolved.model.languageModel, {
    model: resolved.model,
    dialect,
    workspace,
    ports: { browser: browserAt(workspace) },
  });
  expect(orderProblems(tried.events)).toEqual([]);
  return tried;
}

describe.each(WAYS)("in the dialect %s over the wire of %s", (dialect, wire) => {
  it("a missing package is reported to the model in npm's words, and repaired", async () => {
    const { result, workspace } = await play("react-doom", dialect, wire);
    expect(result).toMatchObject({ outcome: "done", verdict: "runs" });
    expect(workspace.text("package.json")).toContain('"react-dom"');
  });

  it.each(SCENARIOS)("$what", async ({ script, verdict, repairs, summary, best }) => {
    const { result, events, workspace } = await play(script, dialect, wire);
    const asked = ofType(events, "repair").map(({ reason }) => reason);
    expect(asked).toEqual(repairs.map((words) => expect.stringMatching(words)));
    expect(result.verdict).toBe(verdict);
    if (summary) expect(result.summary).toMatch(summary);
    const end = ofType(events, "run-end")[0];
    // The verdict `verified` belongs to exactly these files.
    expect(end?.revision).toBe(result.evidence?.revision);
    if (!best) return;
    expect(workspace.text(best.path)).not.toContain(best.has);
    expect(end?.best).toBeDefined();
    await workspace.restore(end!.best!.checkpoint);
    expect(workspace.text(best.path)).toContain(best.has);
  });
});
