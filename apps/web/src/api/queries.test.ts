import type { ProviderInfo } from "@treadle/protocol";
import { expect, it } from "vitest";
import { modelLabel } from "./queries.ts";

const provider = (id: string, labels: Record<string, string>, source?: "found"): ProviderInfo => ({
  id,
  name: `The ${id}`,
  needsKey: true,
  needsAddress: false,
  models: Object.entries(labels).map(([model, label]) => ({ id: `${id}:${model}`, label })),
  source,
});

it("a model has its provider's name for it, and its id if it is not listed", () => {
  const models = { demos: [], providers: [provider("a", { one: "One" }, "found")] };
  expect(modelLabel(models, "a:one")).toBe("One");
  expect(modelLabel(models, "a:two")).toBe("two");
  expect(modelLabel(undefined, "a:one")).toBe("one");
});

it("two models of the same name are distinguished by their providers or their ids", () => {
  const models = {
    demos: [],
    providers: [
      provider("a", { one: "One", old: "Same", new: "Same" }, "found"),
      provider("b", { one: "One" }, "found"),
      provider("c", { two: "One", three: "Three" }),
      provider("d", { three: "Three" }, "found"),
    ],
  };
  expect(modelLabel(models, "a:one")).toBe("One · The a");
  expect(modelLabel(models, "b:one")).toBe("One · The b");
  expect(modelLabel(models, "a:old")).toBe("Same · old");
  expect(modelLabel(models, "a:new")).toBe("Same · new");
  // The other model cannot be chosen yet.
  expect(modelLabel(models, "d:three")).toBe("Three");
});
