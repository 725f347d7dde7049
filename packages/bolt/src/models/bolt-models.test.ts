import { expect, it } from "vitest";
import { boltModels } from "./bolt-models.ts";

const provider = (id: string, name: string, ...models: string[]) => ({
  id,
  name,
  needsKey: true,
  needsAddress: false,
  models: models.map((model) => ({ id: `${id}:${model}`, label: model.toUpperCase() })),
});
const providers = [provider("none", "None"), provider("a", "A", "x:1b"), provider("b", "B", "y")];
const x = { name: "x:1b", label: "X:1B", provider: "A" };
const y = { name: "y", label: "Y", provider: "B" };

it("lists models by name without their provider, with the chosen one's provider as the default", () => {
  expect(boltModels({ providers, demos: [], chosen: "b:y" })).toEqual({
    modelList: [x, y],
    defaultProvider: { name: "B", staticModels: [y] },
  });
});

it("lists the models of one provider, by its id or bolt's name for it, and none of an unknown one", () => {
  const own = [...providers, provider("openai-compatible", "OpenAI-compatible server", "z")];
  const listOf = (name: string) =>
    boltModels({ providers: own, demos: [] }, name).modelList.map((model) => model.name);
  expect(listOf("A")).toEqual(["x:1b"]);
  expect(listOf("b")).toEqual(["y"]);
  expect(listOf("OpenAILike")).toEqual(["z"]);
  expect(listOf("None")).toEqual([]);
  expect(listOf("__proto__")).toEqual([]);
});

it("uses the first provider with models if none is chosen, and none if there is none", () => {
  expect(boltModels({ providers, demos: [] }).defaultProvider?.name).toBe("A");
  expect(boltModels({ providers: [], demos: [] })).toEqual({
    modelList: [],
    defaultProvider: undefined,
  });
});
