import type { Usage } from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import { expect, it } from "vitest";
import { answer, call, scriptedModel } from "../testing/scripted-model.test-support.ts";
import { ofType, tryRun } from "../testing/try-run.test-support.ts";
import { meterModel } from "./meter-model.ts";

const READS = () => answer("", call("read_file", { path: "index.html" }));
const PRICE = { input: 1, cachedInput: 1, cacheWrite: 1, output: 1 };

function metered(onUsage: (usage: Usage) => Promise<void>) {
  const languageModel = scriptedModel(READS(), READS(), READS(), answer("Done."));
  const model = { id: "a:b", languageModel, dialect: "native", takesTemperature: true, price: PRICE } as const; // prettier-ignore
  return meterModel(model, onUsage);
}

it("reports what each answer used, with its price, before the next step begins", async () => {
  const reports: Usage[] = [];
  const model = metered(async (usage) => void reports.push(usage));
  const { events } = await tryRun(model.languageModel, { model: { price: PRICE } });
  const steps = ofType(events, "step-end");
  expect(reports).toEqual(steps.map(({ usage }) => usage));
  expect(reports[0]?.costUsd).toBeGreaterThan(0);
});

it("a budget beside the run's own ends it after the step that used it up", async () => {
  let reached = false;
  const model = metered(async () => {
    reached = true;
  });
  const reason = sentence("month-budget-project", { limit: "$1.00", until: "2026-12-01" });
  const { result, events } = await tryRun(model.languageModel, {
    model: { budgetReached: () => (reached ? reason : undefined) },
  });
  expect(ofType(events, "step-end")).toHaveLength(1);
  expect(result.outcome).toBe("budget");
  expect(ofType(events, "run-end")[0]?.error).toMatchObject({
    code: "budget",
    messageCode: reason.coded,
  });
});
