import { expect, it } from "vitest";
import { parseChecks } from "./parse-checks.ts";
import { agreedChecks, countChecks, type CountedChecks } from "./which-checks-count.ts";

const ADDS = "## Adds\n- click Add\n- expect Milk\n";
const OPENS = "## Opens\n- expect Tasks\n";

const merged = (text: string, counted: CountedChecks | undefined, run = "r2", asked = false) =>
  countChecks(parseChecks(text), counted, { run, by: "model", asked });
const shown = ({ list }: ReturnType<typeof countChecks>) =>
  list.map(({ check, was, rewritten }) => [
    check.name,
    was?.how ?? (rewritten ? "rewritten" : ""),
    check.steps.length,
  ]);

const agreed = agreedChecks(parseChecks(`${OPENS}${ADDS}`));

it("what stands in the file is run, what is new as well", () => {
  expect(shown(merged(`${OPENS}${ADDS}## New\n- expect X\n`, agreed))).toEqual([
    ["Opens", "", 1],
    ["Adds", "", 2],
    ["New", "", 1],
  ]);
});

it("what was removed, changed or switched off is run as it stood, look after look, until it is back", () => {
  const removed = merged(OPENS, agreed);
  expect(shown(removed)).toEqual([
    ["Opens", "", 1],
    ["Adds", "removed", 2],
  ]);
  expect(shown(merged("", removed.counted, "r3")).map(([name, how]) => [name, how])).toEqual([
    ["Opens", "removed"],
    ["Adds", "removed"],
  ]);
  expect(shown(merged(`${OPENS}${ADDS}`, removed.counted, "r3"))).toEqual([
    ["Opens", "", 1],
    ["Adds", "", 2],
  ]);
  expect(shown(merged(`${OPENS}## Adds\n- expect Add\n`, agreed))).toEqual([
    ["Opens", "", 1],
    ["Adds", "", 1],
    ["Adds", "changed", 2],
  ]);
  const off = merged(`run: by hand\n${ADDS}`, agreed);
  expect(off.byHand).toBe(false);
  expect(shown(off)).toEqual([
    ["Adds", "off", 2],
    ["Opens", "removed", 1],
  ]);
  expect(merged(`run: by hand\n${ADDS}`, off.counted, "r3").byHand).toBe(false);
});

it("what the person runs by hand stays so, and is run when somebody asks", () => {
  const byHand = agreedChecks(parseChecks(`run: by hand\n${ADDS}`));
  expect(merged(`run: by hand\n${ADDS}`, byHand).byHand).toBe(true);
  const asked = merged(`run: by hand\n${ADDS}`, byHand, "r2", true);
  expect(shown(asked)).toEqual([["Adds", "", 2]]);
  expect(asked.counted.byHand).toBe(true);
});

it("the first checks may be written for running by hand, and what is new is not switched off with the others", () => {
  const none = agreedChecks(parseChecks(""));
  const first = merged(`run: by hand\n${ADDS}`, none);
  expect(first.byHand).toBe(true);
  expect(merged(`run: by hand\n${ADDS}`, first.counted, "r3").byHand).toBe(true);
  const more = merged(`run: by hand\n${OPENS}${ADDS}## New\n- expect X\n`, agreed);
  expect(shown(more).map(([name, how]) => [name, how])).toEqual([
    ["Opens", "off"],
    ["Adds", "off"],
    ["New", "off"],
  ]);
});

it("what the same run wrote may be written anew, which is said, and not less than that", () => {
  const { counted } = merged(ADDS, undefined, "r1");
  const anew = merged(ADDS.replace("Milk", "Tea"), counted, "r1");
  expect(shown(anew)).toEqual([["Adds", "rewritten", 2]]);
  expect(shown(merged(ADDS.replace("Milk", "Tea"), anew.counted, "r1"))).toEqual([
    ["Adds", "rewritten", 2],
  ]);
  expect(shown(merged("## Adds\n- click Add\n", counted, "r1"))).toEqual([
    ["Adds", "", 1],
    ["Adds", "changed", 2],
  ]);
  expect(shown(merged("", counted, "r1"))).toEqual([["Adds", "removed", 2]]);
  // In the next turn it is as any other.
  expect(shown(merged(ADDS.replace("Milk", "Tea"), counted, "r2"))).toEqual([
    ["Adds", "", 2],
    ["Adds", "changed", 2],
  ]);
});

it("what counted is not pushed out by what is new", () => {
  const many = Array.from({ length: 30 }, (_, n) => `## New ${n}\n- expect X\n`).join("");
  let { counted } = merged(many, agreed);
  ({ counted } = merged(many.replaceAll("New", "Newer"), counted));
  expect(counted.checks.length).toBe(60);
  expect(counted.checks.slice(0, 2).map(({ name }) => name)).toEqual(["Opens", "Adds"]);
});
