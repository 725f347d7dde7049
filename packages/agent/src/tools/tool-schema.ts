import type { JSONSchema7 } from "@ai-sdk/provider";
import { jsonSchema, type Schema } from "ai";
import { z } from "zod";

/** Words that tell a model nothing and are paid for in every request. */
const UNSAID = new Set(["$schema", "additionalProperties", "minLength", "minimum", "minItems"]);

/** A tool's schema as it is sent: without what no model needs. */
export function sentSchema(input: z.ZodType): JSONSchema7 {
  return shorten(z.toJSONSchema(input, { target: "draft-7", io: "input" })) as JSONSchema7;
}

/** The same for the library, with the check of what comes back. @param schema is sent in its place */
export function toolSchema(input: z.ZodType, schema = sentSchema(input)): Schema<unknown> {
  return jsonSchema<unknown>(schema, {
    validate(value) {
      const checked = input.safeParse(value);
      return checked.success
        ? { success: true, value: checked.data }
        : { success: false, error: checked.error };
    },
  });
}

function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shorten);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, entry]) => !UNSAID.has(key) && entry !== Number.MAX_SAFE_INTEGER)
      .map(([key, entry]) => [key, shorten(entry)]),
  );
}
