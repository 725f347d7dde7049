import { describe, expect, it } from "vitest";
import { beginningOf } from "./beginning.ts";
import { freshValue, withFresh } from "./fresh.ts";
import { shiftClock } from "./shift-clock.ts";

describe("the start of a check", () => {
  it("is the window, the day and the page before all other steps", () => {
    const steps = [
      { do: "size", text: "390x844" },
      { do: "date", text: "2026-03-01" },
      { do: "open", text: "about" },
      { do: "size", text: "800x600" },
      { do: "open", text: "/b" },
    ] as const;
    expect(beginningOf(steps)).toEqual({
      path: "/about",
      size: { width: 390, height: 844 },
      date: new Date(2026, 2, 1, 12),
      rest: steps.toSpliced(2, 1),
    });
  });

  it("is the first page if another person or an action comes first", () => {
    for (const first of [{ do: "reload" }, { do: "open", text: "/a", as: "second" }] as const) {
      const steps = [first, { do: "open", text: "/b" }] as const;
      expect(beginningOf(steps)).toEqual({ path: "/", rest: steps });
    }
  });
});

it("replaces a new value consistently in one run, and differently in the next", () => {
  const steps = [
    { do: "type", on: "Name", text: "Milk {new}" },
    { do: "expect", on: 'listitem "Milk {new}"', as: "second" },
  ] as const;
  expect(withFresh(steps, "k7")).toEqual([
    { do: "type", on: "Name", text: "Milk k7" },
    { do: "expect", on: 'listitem "Milk k7"', as: "second" },
  ]);
  expect(new Set(Array.from({ length: 100 }, () => freshValue())).size).toBe(100);
  expect(freshValue()).toMatch(/^[a-z][a-z2-9]{7}$/);
});

it("a shifted clock continues from there, and a given day stays the same", () => {
  const scope = { Date };
  new Function("globalThis", `const Date = globalThis.Date; ${shiftClock(86_400_000)}`)(scope);
  const Moved = scope.Date;
  Date.prototype.constructor = Date;
  const ahead = Moved.now() - Date.now();
  expect(Math.abs(ahead - 86_400_000)).toBeLessThan(1_000);
  expect(new Moved().getTime() - Date.now()).toBeGreaterThan(86_000_000);
  expect(new Moved(0).getTime()).toBe(0);
  expect(new Moved() instanceof Moved && new Moved() instanceof Date).toBe(true);
  expect(Moved.UTC(2026, 0, 1)).toBe(Date.UTC(2026, 0, 1));
});
