import type { Evidence, LogEvent, PageReport } from "@treadle/protocol";
import { untriedEvidence } from "@treadle/protocol/evidence";
import { expect, it } from "vitest";
import { applyReport } from "./apply-report.ts";
import type { ProjectContext } from "./types.ts";
import { emptyView } from "./view.ts";

const held = (): Evidence => {
  const evidence = untriedEvidence("r1");
  for (const part of Object.values(evidence.parts)) part.state = "held";
  return evidence;
};
const report: PageReport & { revision?: string } = {
  source: "probe",
  path: "/",
  status: 200,
  contentType: "text/html",
  title: "T",
  rendered: true,
  text: "Hello",
  uncaughtErrors: [],
  consoleErrors: [],
  failedRequests: [],
  ms: 1,
};

/** What a report makes of a project that was seen to work. */
function apply(change: Partial<PageReport & { revision: string }>, busy = false, revision = "r1") {
  const appended: LogEvent[] = [];
  const verdicts: unknown[] = [];
  const context = {
    id: "p",
    view: { ...emptyView(), evidence: held(), revision },
    append: (event: LogEvent) => appended.push(event),
    parts: {
      clock: { now: () => 5 },
      onNotice: () => {},
      store: {
        projects: { update: async (_id: string, next: object) => void verdicts.push(next) },
      },
    },
  } as unknown as ProjectContext;
  applyReport(context, { ...report, ...change }, busy);
  return { appended, verdicts };
}

it("takes a fault that the person's own page had into the evidence", () => {
  const { appended, verdicts } = apply({
    uncaughtErrors: [{ message: "TypeError: x is undefined" }],
  });
  expect(appended).toMatchObject([
    { type: "evidence", evidence: { revision: "r1", parts: { console: { state: "failed" } } } },
  ]);
  expect(verdicts).toEqual([{ verdict: "failed" }]);
});

it("says that a page is blank", () => {
  expect(apply({ rendered: false }).appended).toMatchObject([
    { evidence: { parts: { page: { state: "failed", summary: "/ is blank" } } } },
  ]);
});

it("leaves alone what it does not speak of", () => {
  const fault = { uncaughtErrors: [{ message: "x" }] };
  expect(apply({}).appended).toEqual([]);
  expect(apply(fault, true).appended).toEqual([]);
  expect(apply(fault, false, "r2").appended).toEqual([]);
  expect(apply({ ...fault, revision: "r0" }).appended).toEqual([]);
});
