import { expect, it } from "vitest";
import { gateOf } from "./gate-of.ts";
import { gateReport } from "./gate-report.ts";

const RELEASE = {
  number: 2,
  revision: "abcd",
  checkpoint: "c",
  label: "Build\n# it",
  at: 0,
  state: "held" as const,
};

it("a report contains the findings, the advice, what was not checked and who decided", () => {
  const gate = gateOf(
    [
      {
        check: "headers",
        severity: "minor",
        title: "A header is missing.",
        where: "/",
        todo: "Send it.",
      },
      {
        check: "secrets",
        severity: "serious",
        title: "A key is written in a file.",
        where: "a[x](http://b).js:1",
        todo: "Take it out.",
      },
    ],
    ["Advisories were not asked for."],
  );
  gate.decided = { at: 60_000, by: "Ada" };
  expect(gateReport("shop", RELEASE, gate)).toBe(`# Release 2 of shop

Revision abcd, made on 1970-01-01 00:00 UTC: Build \\# it

Published all the same by Ada on 1970-01-01 00:01 UTC.

## Serious

- **A key is written in a file.** a\\[x\\](http://b).js:1
  Take it out.

## To know

- **A header is missing.** /
  Send it.

## Not checked

- Advisories were not asked for.
`);
  expect(gateReport("shop", RELEASE, gateOf([], []))).toContain("\nNothing was found.\n");
});
