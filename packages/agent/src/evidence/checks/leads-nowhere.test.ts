import { findingWords } from "@treadle/protocol/evidence";
import { expect, it } from "vitest";
import type { RunCheck } from "./check-places.ts";
import { leadsNowhere } from "./leads-nowhere.ts";

const run = (state: "held" | "failed", path: string): RunCheck =>
  ({
    check: {
      name: "Signs up",
      steps: [
        { do: "open", text: "/sign-up" },
        { do: "click", on: 'button "Make the account"' },
      ],
    },
    report: { name: "Signs up", state, steps: [] },
    tried: {
      state,
      steps: [],
      used: { outline: "", nowhere: [{ step: 1, from: "/sign-up", path, status: 404 }] },
    },
  }) as unknown as RunCheck;

it("names what a passing check pressed and the resulting address, each address once", () => {
  const found = leadsNowhere([run("held", "/notes"), run("held", "/notes")]);
  expect(found).toMatchObject([
    {
      code: "dead-link",
      subject: 'button "Make the account"',
      check: "Signs up",
      path: "/sign-up",
    },
  ]);
  expect(findingWords(found[0]!)).toContain("/notes answers 404");
});

it("says nothing about a failed check, which is reported anyway", () => {
  expect(leadsNowhere([run("failed", "/notes")])).toEqual([]);
});
