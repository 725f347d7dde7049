import { describe, expect, it } from "vitest";
import { openapiTypes, schemaType, type Schema } from "../openapi-types.ts";

const plain = (text: string) => text.replaceAll(/\s+/g, " ");

describe("the type of a schema", () => {
  it.each<[string, Schema, string]>([
    ["a text", { type: "string", maxLength: 3 }, "string"],
    ["a whole number", { type: "integer", minimum: 1 }, "number"],
    ["chosen values", { type: "string", enum: ["a", "b"] }, '("a" | "b")'],
    ["what may be null", { type: "string", nullable: true }, "(string | null)"],
    ["a list of alternatives", { type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] } }, "(string | number)[]"], // prettier-ignore
    ["a reference", { $ref: "#/components/schemas/A" }, 'components["schemas"]["A"]'],
    ["a reference and more", { allOf: [{ $ref: "#/components/schemas/A" }, { type: "object", properties: { b: { type: "boolean" } } }] }, '(components["schemas"]["A"] & { "b"?: boolean; })'], // prettier-ignore
    ["a map", { type: "object", additionalProperties: { type: "number" } }, "{ [key: string]: number }"], // prettier-ignore
    ["an object of which nothing is known", { type: "object" }, "{ [key: string]: unknown }"],
    ["an object without properties", { type: "object", properties: {} }, "{ }"],
    ["anything", {}, "unknown"],
  ])("%s", (_, schema, type) => {
    expect(plain(schemaType(schema))).toBe(type);
  });

  it("distinguishes required and optional properties, and shows their types", () => {
    const schema = {
      type: "object",
      properties: { a: { type: "string", description: "Ends */ here." }, b: { type: "string" } },
      required: ["a"],
    };
    expect(schemaType(schema)).toBe('{\n/** Ends *\\/ here. */\n"a": string;\n"b"?: string;\n}');
  });

  it.each<Schema>([
    { patternProperties: {} },
    { type: "tuple" },
    { $ref: "#/components/responses/A" },
  ])("is rejected if unknown: %j", (schema) => {
    expect(() => schemaType(schema)).toThrow("no type for");
  });
});

it("an operation has its parameters by place, its body, and its answers by status", () => {
  const types = openapiTypes({
    paths: {
      "/a/{id}": {
        post: {
          parameters: [
            { name: "id", in: "path", schema: { type: "string" } },
            { name: "q", in: "query", schema: { type: "string" } },
          ],
          requestBody: { content: { "text/csv": { schema: { type: "string" } } } },
          responses: { 200: { content: {} }, 204: {}, "4XX": {} },
        },
      },
    },
  });
  const text = plain(types);
  expect(text).toContain(
    '"query"?: { "q"?: string; }; "header"?: never; "path": { "id": string; }',
  );
  expect(text).toContain('"requestBody"?: { "content": { "text/csv": string; }; }');
  expect(text).toMatch(/ 200: .* 204: .*"content"\?: never; \}; "4XX": /);
});
