import type { LogEvent } from "@treadle/protocol";
import { untriedEvidence } from "@treadle/protocol/evidence";
import { expect, it } from "vitest";
import { sampleRun } from "../fold/log.test-support.ts";
import { drawnLog } from "./drawn-log.test-support.tsx";

it("offers to fix the current problem, and no longer one that was undone by restoring", () => {
  const failed = untriedEvidence("v2");
  failed.parts.build = { state: "failed", summary: "npm run build ended with 1" };
  const sound = untriedEvidence("v1");
  for (const part of Object.values(sound.parts)) part.state = "held";
  const run = sampleRun().slice(0, -3);
  const end = {
    ...sampleRun().at(-2),
    verdict: "failed",
    revision: "v2",
    summary: "Failed.",
    best: { checkpoint: "c1", revision: "v1", reason: "it ran" },
  } as LogEvent;
  const events: LogEvent[] = [
    { type: "evidence", evidence: sound },
    ...run,
    { type: "evidence", evidence: failed, run: "r1" },
    end,
  ];
  expect(drawnLog(events)).toMatch(/>Go on<.*>Go back to v1</);
  const wentBack = { type: "restored", checkpoint: "c1", label: "Best", revision: "v1" } as const;
  const card = drawnLog([...events, wentBack as LogEvent]);
  expect(card).not.toContain(">Go on<");
  expect(card).not.toContain(">Go back to v1<");
  expect(card).not.toContain(">Check again<");
});

it("offers to restore the working state from before a turn that reached nothing better", () => {
  const failed = untriedEvidence("v2");
  failed.parts.build = { state: "failed", summary: "npm run build ended with 1" };
  const sound = untriedEvidence("v1");
  for (const part of Object.values(sound.parts)) part.state = "held";
  const checkpoint = { type: "checkpoint", checkpoint: "c0", label: "Verified", revision: "v1" } as LogEvent; // prettier-ignore
  const end = { ...sampleRun().at(-2), verdict: "failed", revision: "v2", summary: "Failed." } as LogEvent; // prettier-ignore
  const events: LogEvent[] = [
    checkpoint,
    { type: "evidence", evidence: sound },
    ...sampleRun().slice(0, -3),
    { type: "evidence", evidence: failed, run: "r1" },
    end,
  ];
  expect(drawnLog(events)).toMatch(/>Go on<.*>Go back to v1</);
  expect(drawnLog(events.slice(1))).not.toContain(">Go back to v1<");
});

it("leaves the repair of later problems after a good turn to the header", () => {
  const broken = untriedEvidence("v3");
  broken.parts.build = { state: "failed", summary: "npm run build ended with 1" };
  const changed = { type: "files", revision: "v3", changes: [] } as unknown as LogEvent;
  const card = drawnLog([...sampleRun(), changed, { type: "evidence", evidence: broken }]);
  expect(card).toContain(">Check again<");
  expect(card).not.toContain(">Go on<");
  expect(card).not.toContain(">Fix problems<");
});
