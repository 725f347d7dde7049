/**
 * Generates TypeScript for an OpenAPI 3.0 description, in the form that openapi-fetch reads.
 * Supports what the server's description contains and rejects everything else, so that no type is
 * silently wrong. openapi-typescript would do the same with a second TypeScript of 23 MB, which
 * everybody who starts Treadle would have to install.
 */

/** The supported part of a schema. */
export interface Schema {
  [keyword: string]: unknown;
  $ref?: string;
  type?: string;
  enum?: unknown[];
  nullable?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  description?: string;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
  description?: string;
}

type Content = Record<string, { schema: Schema }>;

interface Operation {
  summary?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { description?: string; content?: Content }>;
}

/** The supported part of a description. */
export interface Description {
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
}

/** Keywords that narrow values without changing their TypeScript type. */
const WITHOUT_TYPE = new Set(
  "description default format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems".split(
    " ",
  ),
);
const WITH_TYPE = new Set(
  "$ref type enum nullable properties required additionalProperties items allOf anyOf oneOf".split(
    " ",
  ),
);
const REFERENCE = "#/components/schemas/";

/** The declarations of `paths` and `components`. Throws for a schema without a type. */
export function openapiTypes({ paths, components }: Description): string {
  const schemas = Object.entries(components?.schemas ?? {});
  return `export interface paths ${object(
    Object.entries(paths).map(([path, item]) => ({
      name: path,
      type: object(
        Object.entries(item).map(([method, operation]) => ({
          name: method,
          type: operationType(operation),
          doc: operation.summary,
        })),
      ),
    })),
  )}
export interface components ${object([
    {
      name: "schemas",
      type: object(schemas.map(([name, schema]) => property(name, schema, false))),
    },
  ])}
`;
}

function operationType({ parameters = [], requestBody, responses }: Operation): string {
  const places = ["query", "header", "path", "cookie"].map((place) => {
    const here = parameters.filter((parameter) => parameter.in === place);
    const isOptional = here.every((parameter) => !isRequired(parameter));
    const type =
      here.length === 0
        ? "never"
        : object(
            here.map((parameter) => {
              const { name, schema, description } = parameter;
              const described = description === undefined ? schema : { ...schema, description };
              return property(name, described, !isRequired(parameter));
            }),
          );
    return { name: place, isOptional, type };
  });
  return object([
    { name: "parameters", type: object(places) },
    requestBody
      ? {
          name: "requestBody",
          isOptional: requestBody.required !== true,
          type: object([{ name: "content", type: contentType(requestBody.content) }]),
        }
      : { name: "requestBody", isOptional: true, type: "never" },
    {
      name: "responses",
      type: object(
        Object.entries(responses).map(([status, { description, content }]) => ({
          name: status,
          type: object([
            { name: "headers", type: "{ [name: string]: unknown }" },
            content
              ? { name: "content", type: contentType(content) }
              : { name: "content", isOptional: true, type: "never" },
          ]),
          doc: description,
        })),
      ),
    },
  ]);
}

// Path parameters are always required.
const isRequired = ({ in: place, required }: Parameter) => required === true || place === "path";

const contentType = (content: Content) =>
  object(Object.entries(content).map(([type, { schema }]) => property(type, schema, false)));

/** The TypeScript type of one schema. */
export function schemaType(schema: Schema): string {
  const unknown = Object.keys(schema).filter(
    (key) => !WITH_TYPE.has(key) && !WITHOUT_TYPE.has(key),
  );
  if (unknown.length > 0) throw new Error(`no type for a schema with ${unknown.join(", ")}`);
  const parts: string[] = [];
  if (schema.$ref !== undefined) parts.push(referenceType(schema.$ref));
  else if (schema.enum) parts.push(union(schema.enum.map((value) => JSON.stringify(value))));
  else if (schema.type !== undefined) parts.push(plainType(schema));
  if (schema.allOf) parts.push(...schema.allOf.map(schemaType));
  for (const either of [schema.anyOf, schema.oneOf])
    if (either) parts.push(union(either.map(schemaType)));
  const all = parts.length === 0 ? "unknown" : parts.length === 1 ? parts[0]! : `(${parts.join(" & ")})`; // prettier-ignore
  return schema.nullable ? union([all, "null"]) : all;
}

function referenceType(reference: string): string {
  if (!reference.startsWith(REFERENCE)) throw new Error(`no type for ${reference}`);
  return `components["schemas"][${JSON.stringify(reference.slice(REFERENCE.length))}]`;
}

function plainType(schema: Schema): string {
  if (schema.type === "object") return objectType(schema);
  if (schema.type === "array") return `${schema.items ? schemaType(schema.items) : "unknown"}[]`;
  if (schema.type === "integer" || schema.type === "number") return "number";
  if (schema.type === "string" || schema.type === "boolean") return schema.type;
  throw new Error(`no type for a schema of the type ${schema.type}`);
}

function objectType({ properties, required = [], additionalProperties }: Schema): string {
  const named = Object.entries(properties ?? {}).map(([name, schema]) =>
    property(name, schema, !required.includes(name)),
  );
  const others =
    typeof additionalProperties === "object"
      ? schemaType(additionalProperties)
      : additionalProperties || properties === undefined
        ? "unknown"
        : undefined;
  if (others === undefined) return object(named);
  const rest = `{ [key: string]: ${others} }`;
  return named.length === 0 ? rest : `(${object(named)} & ${rest})`;
}

const union = (types: string[]) =>
  types.length === 1 ? types[0]! : `(${[...new Set(types)].join(" | ")})`;

interface Property {
  name: string;
  type: string;
  isOptional?: boolean;
  doc?: string;
}

const property = (name: string, schema: Schema, isOptional: boolean): Property => ({
  name,
  type: schemaType(schema),
  isOptional,
  doc: schema.description,
});

/** An object type, one line per property. */
function object(properties: Property[]): string {
  const lines = properties.map(({ name, type, isOptional, doc }) => {
    const comment = doc ? `/** ${doc.replaceAll("*/", "*\\/")} */\n` : "";
    // openapi-fetch expects numeric status keys.
    const key = /^\d+$/.test(name) ? name : JSON.stringify(name);
    return `${comment}${key}${isOptional ? "?" : ""}: ${type};\n`;
  });
  return `{\n${lines.join("")}}`;
}
