import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { portableSchema } from "./portable-schema.ts";

const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const text = { type: "string" };

/** The keywords in a schema that the strictest providers reject, at any depth. */
function refused(schema: unknown, isTop = true): string[] {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return ["no schema"];
  const node = schema as Record<string, unknown>;
  const bad: string[] = [];
  for (const key of [
    "$ref",
    "$defs",
    "definitions",
    "$schema",
    "$id",
    "oneOf",
    "allOf",
    "not",
    "if",
    "const",
    "patternProperties",
    "nullable",
  ])
    // prettier-ignore
    if (key in node) bad.push(key);
  if (isTop && node["type"] !== "object") bad.push("top is no object");
  if (isTop && ("anyOf" in node || "enum" in node)) bad.push("alternatives at the top");
  if (Array.isArray(node["type"])) bad.push("types");
  if ("anyOf" in node && "type" in node) bad.push("alternatives beside a type");
  if (node["type"] === "array" && typeof node["items"] !== "object") bad.push("list of nothing");
  if (Array.isArray(node["items"])) bad.push("tuple");
  const choices = node["enum"];
  if (choices !== undefined && !(Array.isArray(choices) && choices.length > 0 && choices.every((one) => typeof one === "string" && one !== ""))) bad.push("enum"); // prettier-ignore
  const properties = (node["properties"] ?? {}) as Record<string, unknown>;
  for (const [key, value] of Object.entries(properties)) {
    if (!/^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/.test(key)) bad.push(`name ${key}`);
    bad.push(...refused(value, false));
  }
  if (node["type"] === "object")
    for (const key of (node["required"] ?? []) as string[])
      if (!Object.hasOwn(properties, key)) bad.push(`required ${key}`);
  for (const one of (node["anyOf"] ?? []) as unknown[]) bad.push(...refused(one, false));
  if (typeof node["items"] === "object") bad.push(...refused(node["items"], false));
  return bad;
}

describe("a tool server's schema", () => {
  it("is unchanged if every provider accepts it", () => {
    const schema = object(
      {
        path: { type: "string", description: "Where", minLength: 1 },
        kind: { type: "string", enum: ["a", "b"] },
        lines: { type: "array", items: { type: "integer", minimum: 1 } },
        more: object({ deep: text }, { required: ["deep"] }),
      },
      { required: ["path"], description: "Reads" },
    );
    expect(portableSchema(schema).schema).toEqual(schema);
  });

  it.each([
    ["alternatives at the top", { type: "object", anyOf: [{ required: ["a"] }, { required: ["b"] }], properties: { a: text, b: text } }], // prettier-ignore
    ["objects as alternatives", { oneOf: [object({ a: text }, { required: ["a"] }), object({ b: text })] }], // prettier-ignore
    ["parts that must all hold", { allOf: [object({ a: text }), object({ b: text })], required: ["a"] }], // prettier-ignore
    ["a circle of references", { type: "object", $defs: { P: object({ n: { $ref: "#/$defs/P" } }) }, properties: { p: { $ref: "#/$defs/P" } }, $schema: "http://json-schema.org/draft-07/schema#" }], // prettier-ignore
    ["a reference to itself", { $ref: "#" }],
    ["a reference to elsewhere", object({ a: { $ref: "http://x/y" }, b: { $ref: "#/none" } })],
    ["odd names", object({ $filter: text, "a b": text, "": text, é: text, ["x".repeat(100)]: text }, { required: ["$filter", "gone"] })], // prettier-ignore
    ["several types", object({ a: { type: ["string", "null"] }, b: { type: ["string", "number"] } })], // prettier-ignore
    ["numbers to choose from", object({ a: { enum: [1, 2] }, b: { const: 3 }, c: { enum: ["", "x"] } })], // prettier-ignore
    ["a tuple", object({ a: { type: "array", items: [text, { type: "number" }] }, b: { type: "array" }, c: { type: "array", prefixItems: [text] } })], // prettier-ignore
    ["conditions", object({ a: text }, { if: {}, else: {}, not: {}, patternProperties: { "^x": text } })], // prettier-ignore
    ["no schema at all", "nothing"],
    ["true", true],
  ])("with %s becomes one that every provider takes", (_, schema) => {
    expect(refused(portableSchema(schema).schema)).toEqual([]);
  });

  it("loses limits without effect", () => {
    const text = { type: "string", minLength: -1, maxLength: 2.5 };
    const list = { type: "array", items: text, minItems: 1e300, maxItems: 3 };
    expect(portableSchema(object({ list })).schema.properties!["list"]).toEqual({
      type: "array",
      items: { type: "string" },
      maxItems: 3,
    });
  });

  it("describes what cannot be sent in words", () => {
    const { schema } = portableSchema({
      type: "object",
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
      properties: { a: { type: "string", format: "uri" }, b: { enum: [1, 2], description: "How" } },
    });
    expect(schema.description).toContain("needs a, or b");
    expect(schema.properties).toMatchObject({
      a: { description: "format: uri" },
      b: { description: "How (one of 1, 2)" },
    });
  });

  it("gets its original names back in the model's arguments", () => {
    const { schema, restore } = portableSchema(
      object({ $filter: text, _filter: text, "a b": object({ "c/d": text }), "a-b": text }),
    );
    const names = Object.keys(schema.properties!);
    expect(new Set(names).size).toBe(4);
    const [filter, own, outer] = names as [string, string, string];
    const inner = Object.keys((schema.properties![outer] as { properties: object }).properties)[0]!;
    expect(restore({ [filter]: "x", [own]: "y", [outer]: { [inner]: "z" }, free: [{ [filter]: 1 }] })).toEqual({ $filter: "x", _filter: "y", "a b": { "c/d": "z" }, free: [{ $filter: 1 }] }); // prettier-ignore
  });

  it("becomes acceptable to every provider, whatever it is, in limited time", () => {
    const key = fc.constantFrom("a", "$b", "c d", "__proto__", "constructor");
    const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
      schema: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom(true, null, "x", { $ref: "#" }, { $ref: "#/properties/a" }, { type: "string" }, { enum: [1] }), // prettier-ignore
        fc.record(
          {
            type: fc.constantFrom("object", "array", "string", "null", ["object", "null"], ["array", "string"], 3), // prettier-ignore
            properties: fc.dictionary(key, tie("schema"), { maxKeys: 3 }),
            required: fc.array(key, { maxLength: 2 }),
            items: fc.oneof(tie("schema"), fc.array(tie("schema"), { maxLength: 2 })),
            anyOf: fc.array(tie("schema"), { maxLength: 3 }),
            oneOf: fc.array(tie("schema"), { maxLength: 2 }),
            allOf: fc.array(tie("schema"), { maxLength: 2 }),
            enum: fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 2 }),
            description: fc.string(),
            additionalProperties: tie("schema"),
          },
          { requiredKeys: [] },
        ),
      ),
    }));
    fc.assert(
      fc.property(schema, (given) => {
        expect(refused(portableSchema(given).schema)).toEqual([]);
      }),
      { numRuns: 300 },
    );
    const wide = Object.fromEntries(
      Array.from({ length: 200 }, (_, n) => [`p${n}`, { $ref: "#" }]),
    );
    expect(JSON.stringify(portableSchema(object(wide)).schema).length).toBeLessThan(200_000);
  });
});
