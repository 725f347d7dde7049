import { expect, it } from "vitest";
import { attackHere } from "./attack-here.ts";

it("A84 A85 A108 what a project or somebody else's backup leads elsewhere on this machine comes to nothing", async () => {
  const all: [string, string][] = [];
  await attackHere(({ what }, outcome) => all.push([what, outcome]));
  expect(all.filter(([, outcome]) => outcome !== "")).toEqual([]);
  expect(all).toHaveLength(10);
});
