import { expect, it } from "vitest";
import { evidenceOf } from "../fold/log.test-support.ts";
import { lookTitle } from "./look-title.ts";

const problem = { message: "TypeError" };

it("says what is in progress, what failed and what holds", () => {
  expect(lookTitle(evidenceOf("v", "going"))).toMatchObject({
    title: "Installing…",
    isGoing: true,
  });
  expect(lookTitle(evidenceOf("v", "held"))).toEqual({
    title: "Looked: installed, built, served, page rendered, no errors",
    failed: false,
    isGoing: false,
  });
});

it("counts the errors of a page that failed", () => {
  const evidence = evidenceOf("v", "held", { page: { state: "failed", summary: "it threw" } });
  expect(lookTitle(evidence).title).toBe("Looked: it threw");
  evidence.pages.push({
    source: "headless",
    path: "/",
    status: 200,
    contentType: "text/html",
    title: "",
    rendered: false,
    text: "",
    uncaughtErrors: [problem],
    consoleErrors: [],
    failedRequests: [],
    ms: 1,
  });
  expect(lookTitle(evidence)).toMatchObject({ title: "Looked: 1 error", failed: true });
});

it("names the check that is running or failed, or counts several", () => {
  const check = (name: string, state: "held" | "going" | "failed") => ({ name, state, steps: [] });
  const held = evidenceOf("v", "held");
  const titleWith = (...checks: ReturnType<typeof check>[]) => lookTitle({ ...held, checks }).title;
  expect(titleWith(check("A", "held"), check("B", "going"))).toBe("Trying “B”…");
  expect(titleWith(check("A", "failed"), check("B", "held"))).toBe("Looked: the check “A” failed");
  expect(titleWith(check("A", "failed"), check("B", "failed"))).toBe("Looked: 2 checks failed");
  expect(titleWith(check("A", "held"))).toBe(
    "Looked: installed, built, served, page rendered, no errors, 1 check passed",
  );
});
