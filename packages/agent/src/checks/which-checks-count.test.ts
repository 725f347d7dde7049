import { expect, it } from "vitest";
import { parseChecks } from "./parse-checks.ts";
import { agreedChecks, countChecks, withHeld, type CountedChecks } from "./which-checks-count.ts";

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

it("runs all checks in the file, including new ones", () => {
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

it("what the same run wrote, and was never seen to hold, may be written anew in any way", () => {
  const { counted } = merged(ADDS, undefined, "r1");
  const anew = merged(ADDS.replace("Milk", "Tea"), counted, "r1");
  expect(shown(anew)).toEqual([["Adds", "", 2]]);
  expect(shown(merged("## Adds\n- click Add\n", anew.counted, "r1"))).toEqual([["Adds", "", 1]]);
  expect(shown(merged("## Adds a task\n- expect X\n", counted, "r1"))).toEqual([
    ["Adds a task", "", 1],
  ]);
  // However, it may not be removed without a replacement.
  expect(shown(merged("", counted, "r1"))).toEqual([["Adds", "removed", 2]]);
});

it("what the same run wrote with a line that cannot be read was no check, and may be taken out again", () => {
  const late = `${OPENS}${ADDS}- on 2031-03-01\n`;
  const { counted, list } = merged(late, undefined, "r1");
  expect(list.map(({ check }) => check.name)).toEqual(["Opens", "Adds"]);
  expect(shown(merged(OPENS, counted, "r1"))).toEqual([["Opens", "", 1]]);
  const added = merged(late, merged(OPENS, undefined, "r1").counted, "r2").counted;
  expect(shown(merged(OPENS, added, "r2"))).toEqual([["Opens", "", 1]]);
  // A check that counted stays unchanged.
  const spoilt = merged(late, agreed, "r2").counted;
  expect(shown(merged(OPENS, spoilt, "r2"))).toEqual([
    ["Opens", "", 1],
    ["Adds", "removed", 2],
  ]);
});

it("what the same run wrote, and held, may be written anew as long as it asks for no less", () => {
  const first = merged(ADDS, undefined, "r1");
  const counted = withHeld(first.counted, new Set(["Adds"]));
  const anew = merged(ADDS.replace("Milk", "Tea"), counted, "r1");
  expect(shown(anew)).toEqual([["Adds", "", 2]]);
  expect(shown(merged("## Adds\n- click Add\n", counted, "r1"))).toEqual([
    ["Adds", "", 1],
    ["Adds", "changed", 2],
  ]);
  expect(shown(merged("", counted, "r1"))).toEqual([["Adds", "removed", 2]]);
  // In the next turn it is a check like any other.
  expect(shown(merged(ADDS.replace("Milk", "Tea"), counted, "r2"))).toEqual([
    ["Adds", "", 2],
    ["Adds", "changed", 2],
  ]);
});

const inTurn = (text: string, counted: CountedChecks, named?: string[]) =>
  countChecks(parseChecks(text), counted, { run: "r2", by: "model", failed: new Set(), named });

it("an older check may take another way to what it expects, but expects something else only where the turn names it", () => {
  const steps = "- click Task\n- click Add\n- expect Milk\n";
  expect(shown(inTurn(`${OPENS}## Adds\n${steps}`, agreed))[1]).toEqual(["Adds", "rewritten", 3]);
  const opposite = `${OPENS}${ADDS.replace("expect Milk", "expect no Milk")}`;
  expect(shown(inTurn(opposite, agreed)).slice(1)).toEqual([
    ["Adds", "", 2],
    ["Adds", "changed", 2],
  ]);
  expect(shown(inTurn(opposite, agreed, ["another", "Opens"])).slice(1)).toEqual([
    ["Adds", "", 2],
    ["Adds", "changed", 2],
  ]);
  expect(shown(inTurn(opposite, agreed, ["adds"]))[1]).toEqual(["Adds", "rewritten", 2]);
  const shorter = `${OPENS}## Adds\n- expect Some\n`;
  expect(shown(inTurn(shorter, agreed, ["Adds"]))[1]).toEqual(["Adds", "rewritten", 1]);
  expect(shown(inTurn(shorter, agreed)).slice(1)).toEqual([
    ["Adds", "", 1],
    ["Adds", "changed", 2],
  ]);
  const nothing = `${OPENS}## Adds\n- click Add\n`;
  expect(shown(inTurn(nothing, agreed, ["Adds"]))[2]).toEqual(["Adds", "changed", 2]);
});

it("reports in every look an older check that the run rewrote", () => {
  const look = (text: string, counted: CountedChecks) => inTurn(text, counted, ["Adds"]);
  const anew = look(`${OPENS}${ADDS.replace("Milk", "Tea")}`, agreed);
  expect(shown(anew)[1]).toEqual(["Adds", "rewritten", 2]);
  expect(shown(look(`${OPENS}${ADDS.replace("Milk", "Oil")}`, anew.counted))[1]).toEqual([
    "Adds",
    "rewritten",
    2,
  ]);
});

it("what counted is not pushed out by what is new", () => {
  const many = Array.from({ length: 30 }, (_, n) => `## New ${n}\n- expect X\n`).join("");
  let { counted } = merged(many, agreed);
  ({ counted } = merged(many.replaceAll("New", "Newer"), counted, "r3"));
  expect(counted.checks.length).toBe(60);
  expect(counted.checks.slice(0, 2).map(({ name }) => name)).toEqual(["Opens", "Adds"]);
});

it("waiting for what was expected asks for no less, and a pause asks for nothing", () => {
  const paused = "## Rings\n- click Start\n- wait 3 seconds\n- expect Bell\n";
  const waited = "## Rings\n- click Start\n- wait for Bell\n";
  const { counted } = merged(paused, undefined, "r1");
  const held = withHeld(counted, new Set(["Rings"]));
  expect(shown(merged(waited, held, "r1"))).toEqual([["Rings", "", 2]]);
  expect(shown(inTurn(waited, agreedChecks(parseChecks(paused))))).toEqual([
    ["Rings", "rewritten", 2],
  ]);
  expect(shown(inTurn(paused, agreedChecks(parseChecks(waited))))).toEqual([
    ["Rings", "rewritten", 3],
  ]);
  expect(shown(inTurn("## Rings\n- click Start\n", agreedChecks(parseChecks(waited))))).toEqual([
    ["Rings", "", 1],
    ["Rings", "changed", 2],
  ]);
});

it("a check that had passed when a turn changed it may be named by a later turn, whatever the verdict is by then", () => {
  const changed = `${OPENS}${ADDS.replace("Milk", "Tea")}`;
  const { counted } = inTurn(changed, agreed);
  const later = (named: string[]) =>
    countChecks(parseChecks(changed), counted, { run: "r3", by: "model", named });
  expect(shown(later([]))).toContainEqual(["Adds", "changed", 2]);
  expect(shown(later(["Adds"]))).toEqual([
    ["Opens", "", 1],
    ["Adds", "rewritten", 2],
  ]);
});

it("a check that failed already when a turn changed it is never freed by a name", () => {
  const changed = `${OPENS}${ADDS.replace("Milk", "Tea")}`;
  const { counted } = countChecks(parseChecks(changed), agreed, { run: "r2", by: "model" });
  const later = countChecks(parseChecks(changed), counted, {
    run: "r3",
    by: "model",
    named: ["Adds"],
    failed: new Set(),
  });
  expect(shown(later)).toContainEqual(["Adds", "changed", 2]);
});

it("a check that passed when the turn began may be named although it has failed in it, as the app changed first", () => {
  const changed = `${OPENS}${ADDS.replace("Milk", "Tea")}`;
  const look = (named: string[]) =>
    countChecks(parseChecks(changed), agreed, {
      run: "r2",
      by: "model",
      failed: new Set(["Adds"]),
      named,
    });
  expect(shown(look([]))).toContainEqual(["Adds", "changed", 2]);
  expect(shown(look(["Adds"]))).toEqual([
    ["Opens", "", 1],
    ["Adds", "rewritten", 2],
  ]);
});
