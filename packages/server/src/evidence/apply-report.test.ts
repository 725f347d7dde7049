import type { Evidence, PageReport } from "@treadle/protocol";
import { expect, it } from "vitest";
import { applyReport } from "./apply-report.ts";
import { heldEvidence, seenProject } from "./seen-project.test-support.ts";

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

/** Applies a report to a project that was verified. */
function apply(
  change: Partial<PageReport & { revision: string }>,
  busy = false,
  revision = "r1",
  evidence = heldEvidence(),
) {
  const { context, appended, verdicts } = seenProject({ revision, evidence });
  applyReport(context, { ...report, ...change }, busy);
  return { appended, verdicts };
}

it("adds a fault of the person's own page to the evidence", () => {
  const { appended, verdicts } = apply({
    uncaughtErrors: [{ message: "TypeError: x is undefined" }],
  });
  expect(appended).toMatchObject([
    { type: "evidence", evidence: { revision: "r1", parts: { console: { state: "failed" } } } },
  ]);
  expect(verdicts).toEqual([{ verdict: "failed" }]);
});

const DENIED = { message: "SecurityError: Failed to read 'x'", by: "frame" as const };

it("ignores what browsers deny to framed pages, and what follows from that", () => {
  for (const change of [
    { uncaughtErrors: [DENIED] },
    { uncaughtErrors: [DENIED], rendered: false },
    { uncaughtErrors: [DENIED], overlay: "Unhandled: Failed to read 'x' at app.js" },
    { uncaughtErrors: [DENIED], consoleErrors: [{ message: "Uncaught Failed to read 'x'" }] },
    // Without storage or isolation the page behaves differently.
    { frameDenied: true as const, uncaughtErrors: [{ message: "TypeError: null" }] },
    { frameDenied: true as const, rendered: false, overlay: "ReferenceError: SharedArrayBuffer" },
  ])
    expect(apply(change).appended).toEqual([]);
});

it("accepts a fault of the app beside what the frame was denied", () => {
  for (const change of [
    { uncaughtErrors: [DENIED, { message: "TypeError: x is undefined" }] },
    { uncaughtErrors: [DENIED], overlay: "x is undefined" },
    { frameDenied: true as const, failedRequests: [{ method: "GET", url: "/api", status: 500 }] },
  ])
    expect(apply(change).verdicts).toEqual([{ verdict: "failed" }]);
});

it("reports a blank page", () => {
  expect(apply({ rendered: false }).appended).toMatchObject([
    {
      evidence: {
        parts: {
          page: { state: "failed", summary: "the page / is blank, as the preview shows it" },
        },
      },
    },
  ]);
});

it("ignores errors that the app handled, effects of the person's browser, and other pages that they opened", () => {
  for (const change of [
    { consoleErrors: [{ message: "Error: no API key set, demo data is used" }] },
    { uncaughtErrors: [{ message: "x", source: "chrome-extension://abc/content.js:1:1" }] },
    { status: 404, rendered: false },
    { status: 503, rendered: false },
    { failedRequests: [{ method: "GET", url: "/api/items/7", status: 404 }] },
    { failedRequests: [{ method: "GET", url: "/api/items", status: 0 }] },
  ])
    expect(apply(change).appended).toEqual([]);
});

it("ignores effects of a host that looks could not reach and that does not answer the preview either", () => {
  const evidence = heldEvidence();
  evidence.pages = [
    {
      ...report,
      source: "headless",
      wanted: [{ host: "api.example.com", why: "not-allowed", for: "data" }],
    },
  ];
  const threw = (message: string) => ({ uncaughtErrors: [{ message }] });
  const noAnswer = (url: string) => ({
    failedRequests: [{ method: "GET", url, status: 0, reason: "Failed to fetch" }],
  });
  const lacking = noAnswer("https://api.example.com/data");
  const made = (change: Partial<PageReport>) => apply(change, false, "r1", evidence).appended;
  for (const change of [threw("TypeError: Failed to fetch"), { rendered: false }])
    expect(made({ ...change, ...lacking })).toEqual([]);
  // If the host did answer, or something else is wrong, the app is at fault.
  for (const change of [
    threw("TypeError: Failed to fetch"),
    { ...threw("TypeError: Failed to fetch"), ...noAnswer("https://other.example.com/") },
    { ...threw("ReferenceError: foo is not defined"), ...lacking },
  ])
    expect(made(change)).toHaveLength(1);
});

it("counts a server that breaks during the person's actions", () => {
  const failedRequests = [{ method: "POST", url: "/api/items", status: 500 }];
  expect(apply({ failedRequests }).verdicts).toEqual([{ verdict: "failed" }]);
});

it("reports the same fault once", () => {
  const fault = { uncaughtErrors: [{ message: "TypeError: x is undefined" }] };
  const [first] = apply(fault).appended;
  const { evidence } = first as { evidence: Evidence };
  expect(apply(fault, false, "r1", evidence).appended).toEqual([]);
});

it("ignores unknown fields", () => {
  const fault = { uncaughtErrors: [{ message: "x" }] };
  expect(apply({}).appended).toEqual([]);
  expect(apply(fault, true).appended).toEqual([]);
  expect(apply(fault, false, "r2").appended).toEqual([]);
  expect(apply({ ...fault, revision: "r0" }).appended).toEqual([]);
});
