import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPlaces } from "./places.ts";

describe("places", () => {
  it("gives at most half of them to one client, and the rest to others", () => {
    const places = createPlaces(4);
    expect(places.take("app", "a")).toBeDefined();
    const leave = places.take("app", "a")!;
    expect(places.take("app", "a")).toBeUndefined();
    expect(places.take("app", "b")).toBeDefined();
    expect(places.take("other", "a")).toBeDefined();
    expect(places.take("app", "c")).toBeDefined();
    expect(places.take("app", "d")).toBeUndefined();
    leave();
    leave();
    expect(places.take("app", "d")).toBeDefined();
    expect(places.take("app", "e")).toBeUndefined();
  });

  it("takes them from the oldest idle holder of the client with the most", () => {
    const places = createPlaces(4, 3);
    const ended: string[] = [];
    const holder = (name: string, isIdle = true) => ({
      isIdle: () => isIdle,
      end: () => void ended.push(name),
    });
    places.take("app", "b", holder("b1"));
    places.take("app", "a", holder("a1", false));
    places.take("app", "a", holder("a2"));
    places.take("app", "a", holder("a3"));
    expect(places.take("app", "c", holder("c1"))).toBeDefined();
    expect(ended).toEqual(["a2"]);
    expect(places.take("app", "a", holder("a4", false))).toBeDefined();
    expect(ended).toEqual(["a2", "a3"]);
  });

  it("never exceeds the limits of a key or a client, in any order of calls", () => {
    const event = fc.record({
      client: fc.constantFrom("a", "b", "c"),
      isIdle: fc.boolean(),
      leaves: fc.option(fc.nat(30), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        const places = createPlaces(5, 3);
        const open: { client: string; leave(): void }[] = [];
        for (const { client, isIdle, leaves } of events) {
          if (leaves !== undefined) {
            open.splice(leaves % (open.length || 1), 1)[0]?.leave();
            continue;
          }
          const one = { client, leave: () => {} };
          const end = () => void open.splice(open.indexOf(one), 1);
          const before = open.filter((other) => other.client === client).length;
          const leave = places.take("app", client, { isIdle: () => isIdle, end });
          if (leave) open.push(Object.assign(one, { leave }));
          // A refused caller found no free place.
          else expect(before === 3 || open.length === 5).toBe(true);
          expect(open.length).toBeLessThanOrEqual(5);
          expect(open.filter((other) => other.client === client).length).toBeLessThanOrEqual(3);
        }
      }),
    );
  });
});
