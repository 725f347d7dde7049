import { expect, it } from "vitest";
import { findingText } from "./finding-text.ts";

it("says of failing tests what they printed at their end", () => {
  const detail = `${"ok\n".repeat(1_000)}not ok 7\nCannot find module '/home/project/test'\n`;
  const text = findingText({ code: "tests-failed", subject: "npm test", detail });
  expect(text).toContain("    not ok 7\n    Cannot find module");
  expect(text.length).toBeLessThan(2_500);
});

it("is one line of anything else", () => {
  const text = findingText({ code: "dead-control", subject: 'button "Print"', path: "/" });
  expect(text).not.toContain("\n");
  expect(text).toContain('button "Print"');
});
