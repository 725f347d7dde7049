import { expect, it } from "vitest";
import { createLifecycle, type Step } from "./index.ts";
import { checkInterleavings, followTape, type World } from "./interleavings.test-support.ts";

it("applies an event that an effect sends after the event that caused it", () => {
  const performed: string[] = [];
  const lifecycle = createLifecycle<string, string, string>(
    "",
    (state, event) => ({
      state: state + event,
      effects: event === "a" ? ["send b", "after"] : [`did ${event}`],
    }),
    (effect) => {
      performed.push(effect);
      if (effect === "send b") lifecycle.send("b");
    },
  );
  lifecycle.send("a");
  expect(lifecycle.state).toBe("ab");
  expect(performed).toEqual(["send b", "after", "did b"]);
});

it("performs the other effects and continues if one throws", () => {
  const performed: string[] = [];
  const lifecycle = createLifecycle<number, "go", string>(
    0,
    (state) => ({ state: state + 1, effects: ["throws", "follows"] }),
    (effect) => {
      if (effect === "throws") throw new Error("broken");
      performed.push(effect);
    },
  );
  expect(() => lifecycle.send("go")).toThrow("broken");
  expect(performed).toEqual(["follows"]);
  expect(() => lifecycle.send("go")).toThrow("broken");
  expect(lifecycle.state).toBe(2);
});

type Door = "closed" | "opening" | "open";
type DoorEvent = "ask" | "opened" | "failed" | "close";

/** A door whose opener forgets that it has begun, if `isForgetful`. */
function doorWorld(isForgetful: boolean): World<Door, DoorEvent, "open"> {
  let openers = 0;
  const end = (event: DoorEvent) => () => {
    openers--;
    return event;
  };
  return {
    initial: "closed",
    transition(state, event): Step<Door, "open"> {
      if (event === "ask" && (state === "closed" || (isForgetful && state === "opening")))
        return { state: "opening", effects: ["open"] };
      if (event === "opened") return { state: "open", effects: [] };
      if (event === "failed" || (event === "close" && state === "open"))
        return { state: "closed", effects: [] };
      return { state, effects: [] };
    },
    perform() {
      openers++;
      return [end("opened"), end("failed")];
    },
    offers: () => [() => "ask", () => "close"],
    check() {
      if (openers > 1) throw new Error("two open the door");
    },
    closing: [() => "close"],
    checkAtEnd(state) {
      if (state !== "closed") throw new Error("the door is left open");
    },
  };
}

it("finds the interleaving that breaks an invariant, and reports its seed and events", () => {
  expect(() => checkInterleavings(() => doorWorld(true), { runs: 1_000 })).toThrow(/seed/);
  expect(() => followTape(doorWorld(true), [0, 2])).toThrow(/two open the door\nafter:\n {2}"ask"/);
});

it("finds nothing in a correct machine", () => {
  checkInterleavings(() => doorWorld(false), { runs: 1_000 });
});

it("finds a transition that mutates its state", () => {
  const world: World<{ count: number }, "go", never> = {
    initial: { count: 0 },
    transition(state) {
      state.count++;
      return { state, effects: [] };
    },
    perform: () => [],
    offers: () => [() => "go"],
  };
  expect(() => followTape(world, [0])).toThrow(/read only/);
});
