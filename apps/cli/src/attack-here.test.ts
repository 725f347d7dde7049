import { expect, it } from "vitest";
import { attackHere } from "./attack-here.ts";

it("A84 A85 A108 what a project or somebody else's backup leads elsewhere on this machine comes to nothing", async () => {
  const all: [string, string][] = [];
  await attackHere(({ what }, said) => all.push([what, said]));
  expect(all.filter(([, said]) => said !== "")).toEqual([]);
  expect(all).toHaveLength(10);
});
