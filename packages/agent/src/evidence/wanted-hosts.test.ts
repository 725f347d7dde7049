import { untriedEvidence } from "@treadle/protocol/evidence";
import type { PageReport, PageWant } from "@treadle/protocol";
import { describe, expect, it } from "vitest";
import { judgeConsole } from "../preview/judge-console.ts";
import { pageProblem } from "../preview/page-problem.ts";
import { addWanted, excuseOf, missed, namesMissing, wantedWords } from "./wanted-hosts.ts";

const report = (more: Partial<PageReport>): PageReport => ({
  source: "headless",
  path: "/",
  status: 200,
  contentType: "text/html",
  title: "T",
  rendered: true,
  text: "x",
  uncaughtErrors: [],
  consoleErrors: [],
  failedRequests: [],
  ms: 1,
  ...more,
});
const isBroken = (page: PageReport) =>
  !page.rendered || page.status >= 400 || judgeConsole(page).problem !== undefined;
const want = (kind: PageWant["for"], why: PageWant["why"] = "not-allowed"): PageWant[] => [
  { host: "cdn.example.com", why, for: kind },
];
const sandbox = (refused: string[], unreached: string[] = []) => ({
  refused: new Set(refused),
  unreached: new Set(unreached),
});
const excuse = (more: Partial<PageReport>, refused: string[] = []) =>
  excuseOf(report(more), sandbox(refused), isBroken);
const threw = (message: string) => ({ uncaughtErrors: [{ message }] });
const WORDS = "wanted cdn.example.com, which this project may not reach";

describe("a page that is broken by an unreachable host proves nothing", () => {
  it.each([
    ["React is not defined"],
    ["TypeError: Cannot read properties of undefined (reading 'createRoot')"],
    ["TypeError: Chart is not a constructor"],
    ["TypeError: Failed to fetch dynamically imported module: https://cdn.example.com/x.js"],
  ])("a script did not come, and it threw: %s", (message) => {
    expect(excuse({ wanted: want("script"), ...threw(message) })).toBe(WORDS);
  });

  it.each([
    ["TypeError: Failed to fetch"],
    ["AxiosError: Network Error"],
    ["Error: Request failed"],
    ["TypeError: Cannot read properties of null (reading 'map')"],
  ])("data did not come, and it threw: %s", (message) => {
    expect(excuse({ wanted: want("data"), ...threw(message) })).toBe(WORDS);
  });

  it("stays blank without a script or its data", () => {
    for (const kind of ["script", "data"] as const)
      expect(excuse({ wanted: want(kind, "unreached"), rendered: false })).toBe(
        "wanted cdn.example.com, which cannot be reached from this machine",
      );
  });

  it("shows a fallback instead of its data", () => {
    const shown = { inPlaceOfData: "No fact could be fetched", text: "No fact could be fetched" };
    const judged = (page: PageReport) => pageProblem(page) !== undefined;
    const page = report({ wanted: want("data"), ...shown });
    expect(pageProblem(page)?.coded?.code).toBe("in-place-of-data");
    expect(excuseOf(page, sandbox([]), judged)).toBe(WORDS);
  });

  it("has a server that answered 500 while it was refused a host", () => {
    const failedRequests = [{ method: "GET", url: "/api/weather", status: 500 }];
    expect(excuse({ failedRequests }, ["api.example.com"])).toContain("wanted api.example.com");
    expect(excuse({ status: 500 }, ["api.example.com"])).toContain("wanted api.example.com");
    expect(excuse({ failedRequests })).toBeUndefined();
  });
});

describe("a page with its own errors fails", () => {
  it("lacks only a font, a picture or a style", () => {
    expect(excuse({ wanted: want("looks"), rendered: false })).toBeUndefined();
    expect(excuse({ wanted: want("looks"), ...threw("React is not defined") })).toBeUndefined();
  });

  it("threw an error that does not come from the missing host", () => {
    const own = [{ message: "React is not defined" }, { message: "RangeError: own" }];
    expect(excuse({ wanted: want("script"), uncaughtErrors: own })).toBeUndefined();
    expect(
      excuse({ wanted: want("data"), ...threw("ReferenceError: itmes is not defined") }),
    ).toBeUndefined();
    expect(
      excuse({ wanted: want("script"), ...threw("TypeError: Cannot read properties of null") }),
    ).toBeUndefined();
  });

  it("had a request to its own server fail, or lacks a file of its own", () => {
    for (const one of [
      { method: "GET", url: "/app.js", status: 404 },
      { method: "GET", url: "/api", status: 0 },
      { method: "GET", url: "/api", status: 500 },
    ])
      expect(excuse({ wanted: want("data"), failedRequests: [one] })).toBeUndefined();
  });

  it("has a server that was refused only a tool's telemetry", () => {
    const chatter = ["telemetry.nextjs.org", "registry.npmjs.org"];
    expect(missed(sandbox(chatter))).toEqual([]);
    expect(excuse({ status: 500 }, chatter)).toBeUndefined();
  });
});

it("works without an external script if it shows content and throws nothing, but not without its data", () => {
  const waiting = { text: "Loading…", waiting: "Loading…" };
  expect(pageProblem(report({ ...waiting, wanted: want("script") }))).toBeUndefined();
  expect(pageProblem(report({ ...waiting, wanted: want("data") }))?.coded?.code).toBe(
    "still-shows",
  );
});

it("names the missed host in the output of a build", () => {
  const hosts = missed(sandbox(["fonts.googleapis.com"]));
  expect(namesMissing("Failed to fetch `Geist` from Google Fonts.", hosts)).toBe(true);
  expect(namesMissing("error at fonts.googleapis.com/css2", hosts)).toBe(true);
  expect(namesMissing("src/App.tsx(3,1): error TS2304", hosts)).toBe(false);
  expect(namesMissing("Failed to fetch", [])).toBe(false);
});

it("names the first of many hosts, and keeps each once", () => {
  const hosts = ["a", "b", "c", "d"].map((name) => ({
    host: `${name}.example.com`,
    why: "not-allowed" as const,
  }));
  expect(wantedWords(hosts)).toBe(
    "wanted a.example.com, b.example.com, c.example.com and others, which this project may not reach",
  );
  const evidence = untriedEvidence("r");
  for (const host of [...hosts, ...hosts]) addWanted(evidence, host);
  expect(evidence.wanted).toEqual(hosts);
});
