import type { PageReport } from "@treadle/protocol";
import { expect, it } from "vitest";
import type { Inspection } from "@treadle/browser";
import type { Ask } from "./ask.ts";
import { checkDrawn, UNSEEN } from "./check-drawn.ts";
import { WORKS } from "../../../../browser/src/look/page-report.test-support.ts";

const answers =
  (type: string, status = 200, location?: string): Ask =>
  async (path) => ({
    status: path === "/" ? status : 200,
    headers: { "content-type": type, ...(path === "/" && location !== undefined && { location }) },
    bytes: 2,
    text: "{}",
  });
const problem = { id: "document-title", help: "Documents must have a title", places: ["html"], count: 1 }; // prettier-ignore
const inspect = async () =>
  ({ report: WORKS, problems: [problem], links: [] }) satisfies Inspection;

it("ignores how a browser displays data, and checks pages, also behind a redirect from the first address", async () => {
  const found = async (ask: Ask) =>
    (await checkDrawn(inspect, ask)).found.map(({ title }) => title);
  expect(await found(answers("application/json"))).toEqual([]);
  expect(await found(answers("text/plain"))).toEqual([]);
  expect(await found(answers("text/html"))).toEqual(["Documents must have a title."]);
  expect(await found(answers("text/html", 302, "/sign-in"))).toHaveLength(1);
  expect(await checkDrawn(undefined, answers("application/json"))).toEqual({
    found: [],
    unchecked: [],
  });
  expect((await checkDrawn(undefined, answers("text/html"))).unchecked).toEqual([UNSEEN]);
});

it("fails a page that is blank or throws, unless that is due to an unreachable external host", async () => {
  const found = async (report: Partial<PageReport>, ask = answers("text/html")) => {
    const seen = { report: { ...WORKS, ...report }, problems: [], links: [] };
    return (await checkDrawn(async () => seen, ask)).found.map(
      ({ severity, title }) => `${severity} ${title}`,
    );
  };
  expect(await found({})).toEqual([]);
  expect(await found({ rendered: false, text: "" })).toEqual([
    "serious The published page does not work: the page / is blank.",
  ]);
  const uncaughtErrors = [{ message: "TypeError: Failed to fetch" }];
  expect(await found({ uncaughtErrors })).toHaveLength(1);
  const failedRequests = [{ method: "GET", url: "https://api.example.com/x", status: 0 }];
  const wants: PageReport["wanted"] = [
    { host: "api.example.com", why: "not-allowed", for: "data" },
  ];
  expect(await found({ uncaughtErrors, failedRequests, wanted: wants })).toEqual([]);
  // An API without a first page answers 404 there, as it did in the preview.
  expect(await found({ status: 404 }, answers("text/html", 404))).toEqual([]);
});
