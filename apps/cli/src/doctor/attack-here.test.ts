import { expect, it } from "vitest";
import { attackHere } from "./attack-here.ts";

it("A84 A85 A108 attacks on this machine by a project or a foreign backup fail", async () => {
  const all: [string, string][] = [];
  await attackHere(({ what }, outcome) => all.push([what, outcome]));
  expect(all.filter(([, outcome]) => outcome !== "")).toEqual([]);
  expect(all).toHaveLength(10);
});
