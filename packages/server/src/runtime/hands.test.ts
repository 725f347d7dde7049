import { describe, expect, it } from "vitest";
import { createHands } from "./hands.ts";

const notice = (path: string, version: string) => ({
  path,
  kind: "written" as const,
  size: 1,
  version,
});

describe("whose hand changed a file", () => {
  it("knows model and person by the version they left, everything else is the person's editor", () => {
    const hands = createHands(() => 0);
    hands.modelWrote("a", "v1");
    hands.personWrote("a", "v2");
    hands.modelWrote("gone", "");
    expect([hands.isPersons("a", "v2"), hands.isPersons("a", "v3")]).toEqual([true, false]);
    expect(hands.attribute(notice("a", "v1")).by).toBe("model");
    expect(hands.attribute(notice("a", "v2")).by).toBe("person");
    expect(hands.attribute(notice("a", "v3")).by).toBe("person");
    expect(hands.attribute({ path: "gone", kind: "removed", size: 9 })).toEqual({
      path: "gone",
      kind: "removed",
      size: 0,
      by: "model",
    });
  });

  it("gives a command what changes while it runs and shortly after, but not what the person saved meanwhile", () => {
    let now = 1000;
    const hands = createHands(() => now);
    const end = hands.commandRuns();
    hands.personWrote("b", "v1");
    expect(hands.attribute(notice("package-lock.json", "x")).by).toBe("command");
    expect(hands.attribute(notice("b", "v1")).by).toBe("person");
    end();
    end();
    expect(hands.attribute(notice("late", "x")).by).toBe("command");
    now += 10_000;
    expect(hands.attribute(notice("later", "x")).by).toBe("person");
  });
});
