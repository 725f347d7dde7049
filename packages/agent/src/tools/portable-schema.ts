import type { JSONSchema7 } from "@ai-sdk/provider";
import { isRecord } from "../text/is-record.ts";
import { clipLine } from "../text/clip.ts";
import { MAX_JSON_DEPTH } from "../text/json-value.ts";

/** A tool's schema in a form that every provider accepts, and the mapping of arguments back. */
export interface PortableSchema {
  schema: JSONSchema7;
  /** Restores the original parameter names. */
  restore(input: Record<string, unknown>): Record<string, unknown>;
}

/**
 * Providers limit the depth of a schema (Google: 32, OpenAI: 10); deeper values accept anything.
 */
const MAX_SCHEMA_DEPTH = 10;
/** Inlining references could make a schema grow without end. */
const MAX_NODES = 2_000;
/** The form of parameter names that every provider accepts. */
const KEY = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;
const KEY_CHARACTERS = 64;
/** Maximum length of the text for a constraint that cannot be sent. */
const REMARK_CHARS = 200;
/** Formats that the strictest provider (Google) accepts. */
const FORMATS = new Set(["date-time", "enum"]);
const BOUNDS = ["minimum", "maximum"] as const;
/** Limits that must be non-negative integers. */
const COUNTS = ["minItems", "maxItems", "minLength", "maxLength"] as const;

/** Without `null`: nullability is dropped. */
const TYPES = new Set(["object", "array", "string", "number", "integer", "boolean"]);

type Node = Record<string, unknown>;

/**
 * Reduces a JSON schema to the subset that every provider accepts: an object at the top, no
 * references, no `oneOf`, `allOf` or conditions, plain parameter names, arrays with an item type.
 * Lost constraints are put into descriptions. Never fails; a value that is not a schema accepts
 * anything.
 */
export function portableSchema(given: unknown): PortableSchema {
  const names = new Map<string, string>();
  const build: Build = { root: given, names, used: namesIn(given), nodes: 0 };
  const node = merged(portable(given, build, 0, []));
  const schema = consistent({ ...node, type: "object", properties: node["properties"] ?? {} });
  const originals = new Map([...names].map(([original, name]) => [name, original]));
  return {
    schema: schema as JSONSchema7,
    restore: (input) => (originals.size === 0 ? input : (renamed(input, originals) as Node)),
  };
}

interface Build {
  readonly root: unknown;
  /** Names that are sent, by original names that not every provider accepts. */
  readonly names: Map<string, string>;
  /** Original names that are sent unchanged. */
  readonly used: Set<string>;
  nodes: number;
}

/** @param refs references being resolved */
function portable(given: unknown, build: Build, depth: number, refs: readonly string[]): Node {
  if (!isRecord(given) || depth > MAX_SCHEMA_DEPTH || ++build.nodes > MAX_NODES) return {};
  const { $ref } = given;
  if (typeof $ref === "string") {
    const description = given["description"];
    const target = refs.includes($ref) ? undefined : resolve(build.root, $ref);
    const found = portable(target, build, depth, [...refs, $ref]);
    return typeof description === "string" ? { ...found, description } : found;
  }
  const inner = (value: unknown) => portable(value, build, depth + 1, refs);
  const node: Node = {};
  const remarks: string[] = [];
  for (const key of ["title", "description"])
    if (typeof given[key] === "string" && given[key] !== "") node[key] = given[key];
  for (const key of BOUNDS) if (Number.isFinite(given[key])) node[key] = given[key];
  for (const key of COUNTS)
    if (Number.isSafeInteger(given[key]) && Number(given[key]) >= 0) node[key] = given[key];
  if (isPlain(given["default"])) node["default"] = given["default"];
  setType(node, given, inner);
  setChoices(node, given, remarks);
  for (const key of ["format", "pattern"] as const) {
    const value = given[key];
    if (typeof value !== "string") continue;
    if (key === "format" && FORMATS.has(value)) node[key] = value;
    else remarks.push(`${key}: ${value}`);
  }
  setProperties(node, given, build, inner);
  if (node["type"] === "array") node["items"] = itemsOf(given, inner);
  const all = listOf(given["allOf"]).map((part) => portable(part, build, depth, refs));
  const joined = all.reduce(joinNodes, node);
  const alternatives = [...listOf(given["anyOf"]), ...listOf(given["oneOf"])].map(inner);
  setAlternatives(joined, alternatives, remarks);
  remark(joined, remarks);
  return consistent(joined);
}

/** Makes merged parts consistent: drops what the type rules out. */
function consistent(node: Node): Node {
  const { type, anyOf, items, properties, required, ...rest } = node;
  const choices = type === undefined || type === "string" ? {} : { enum: undefined };
  const fields = {
    ...rest,
    ...choices,
    type,
    ...(type === undefined ? { anyOf } : {}),
    ...(type === "array" ? { items: items ?? {} } : {}),
    ...(type === "object" ? { properties, required: requiredOf(required, properties) } : {}),
    // An alternative that only names its required parameters.
    ...(type === undefined ? { required } : {}),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function requiredOf(required: unknown, properties: unknown): unknown[] | undefined {
  const known = listOf(required).filter(
    (key) => isRecord(properties) && Object.hasOwn(properties, String(key)),
  );
  return known.length > 0 ? known : undefined;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const isPlain = (value: unknown) => ["string", "number", "boolean"].includes(typeof value);

/** Turns several types into alternatives. */
function setType(node: Node, given: Node, inner: (value: unknown) => Node): void {
  const { type } = given;
  const types = (Array.isArray(type) ? type : [type]).filter(
    (one): one is string => typeof one === "string" && TYPES.has(one),
  );
  if (types.length === 1) node["type"] = types[0];
  else if (types.length > 1)
    node["anyOf"] = types.map((one) => inner({ ...given, type: one, description: undefined, title: undefined })); // prettier-ignore
  else if (isRecord(given["properties"])) node["type"] = "object";
  else if (given["items"] !== undefined) node["type"] = "array";
}

/** Sets the allowed values. Google accepts only non-empty strings, so others are described in words. */
function setChoices(node: Node, given: Node, remarks: string[]): void {
  const choices = "const" in given ? [given["const"]] : listOf(given["enum"]);
  if (choices.length === 0) return;
  const isText = choices.every((one) => typeof one === "string" && one !== "");
  if (isText && (node["type"] ?? "string") === "string") {
    node["type"] = "string";
    node["enum"] = [...new Set(choices)];
  } else remarks.push(`one of ${choices.map((one) => JSON.stringify(one)).join(", ")}`);
}

function setProperties(node: Node, given: Node, build: Build, inner: (value: unknown) => Node) {
  const { properties, required, additionalProperties } = given;
  if (isRecord(properties) && (node["type"] ?? "object") === "object") {
    const entries = Object.entries(properties).map(([key, value]) => [nameOf(key, build), inner(value)]); // prettier-ignore
    node["properties"] = Object.fromEntries(entries);
    const known = listOf(required).filter(
      (key): key is string => typeof key === "string" && Object.hasOwn(properties, key),
    );
    if (known.length > 0) node["required"] = [...new Set(known.map((key) => nameOf(key, build)))];
  } else if (listOf(required).length > 0 && node["type"] === undefined) {
    // An alternative that only names its required parameters.
    node["required"] = listOf(required)
      .filter((key) => typeof key === "string")
      .map((key) => nameOf(key, build));
  }
  if (isRecord(additionalProperties) && node["type"] === "object")
    node["additionalProperties"] = inner(additionalProperties);
}

/** The sent name for a parameter's name. */
function nameOf(key: string, { names, used }: Build): string {
  if (KEY.test(key)) return key;
  const known = names.get(key);
  if (known !== undefined) return known;
  const plain = key.replaceAll(/[^A-Za-z0-9_.-]+/g, "_").slice(0, KEY_CHARACTERS - 4);
  const base = /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`;
  let name = base;
  for (let count = 2; used.has(name); count++) name = `${base}_${count}`;
  used.add(name);
  names.set(key, name);
  return name;
}

/** An array of one item type; a tuple becomes an array of any of its types. */
function itemsOf(given: Node, inner: (value: unknown) => Node): Node {
  const tuple = Array.isArray(given["items"]) ? given["items"] : listOf(given["prefixItems"]);
  if (tuple.length === 0) return inner(given["items"]);
  const kinds = distinct(tuple.map(inner));
  return kinds.length === 1 ? kinds[0]! : { anyOf: kinds };
}

/** Joins two schemas that must both hold. */
function joinNodes(one: Node, other: Node): Node {
  const joined = { ...other, ...one };
  if (one["properties"] || other["properties"]) joined["properties"] = { ...(other["properties"] as Node), ...(one["properties"] as Node) }; // prettier-ignore
  const required = [...listOf(one["required"]), ...listOf(other["required"])];
  if (required.length > 0) joined["required"] = [...new Set(required)];
  return joined;
}

function setAlternatives(node: Node, alternatives: Node[], remarks: string[]): void {
  const needs = alternatives.map((one) => listOf(one["required"]).join(" and ")).filter(Boolean);
  // Alternatives that differ only in required parameters become one object and a description.
  const typed = distinct(alternatives.filter((one) => one["type"] ?? one["anyOf"]));
  if (typed.length < alternatives.length && needs.length > 0) remarks.push(`needs ${needs.join(", or ")}`); // prettier-ignore
  if (typed.length === 0) return;
  if (node["type"] === undefined && typed.length === 1)
    Object.assign(node, { ...typed[0], ...node });
  else if (node["type"] === undefined || node["type"] !== "object") {
    delete node["type"];
    node["anyOf"] = typed;
  } else Object.assign(node, joinAlternatives(node, typed, remarks));
}

/**
 * Joins alternatives of an object: all of their parameters, and as required those that each of them
 * requires.
 */
function joinAlternatives(node: Node, alternatives: Node[], remarks: string[]): Node {
  const objects = alternatives.filter((one) => one["type"] === "object");
  if (objects.length === 0) return node;
  const lists = objects.map((one) => listOf(one["required"]));
  const required = (lists[0] ?? []).filter((key) => lists.every((list) => list.includes(key)));
  const needs = lists.map((list) => list.join(" and ")).filter(Boolean);
  if (new Set(needs).size > 1) remarks.push(`needs ${needs.join(", or ")}`);
  return objects.reduce(
    (joined, one) => joinNodes(joined, { properties: one["properties"] ?? {} }),
    joinNodes(node, { required }),
  );
}

/** Turns alternatives at the top level into one object, as no provider accepts them there. */
function merged(node: Node): Node {
  const { anyOf, ...rest } = node;
  if (anyOf === undefined) return node;
  const remarks: string[] = [];
  const joined = joinAlternatives({ ...rest, type: "object" }, anyOf as Node[], remarks);
  remark(joined, remarks);
  return joined;
}

function remark(node: Node, remarks: string[]): void {
  if (remarks.length === 0) return;
  const remark = clipLine(remarks.join("; "), REMARK_CHARS);
  const description = node["description"];
  node["description"] = typeof description === "string" ? `${description} (${remark})` : remark;
}

const distinct = (nodes: Node[]) => [
  ...new Map(nodes.map((node) => [JSON.stringify(node), node])).values(),
];

/** Resolves a reference `#/…` in a schema. */
function resolve(root: unknown, reference: string): unknown {
  if (!reference.startsWith("#")) return undefined;
  let found: unknown = root;
  for (const part of reference.slice(1).split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Node)[key];
  }
  return found;
}

/** All names in a schema that can be sent unchanged. */
function namesIn(given: unknown): Set<string> {
  const names = new Set<string>();
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== "object" || value === null || depth > MAX_JSON_DEPTH) return;
    for (const [key, entry] of Object.entries(value)) {
      if (KEY.test(key)) names.add(key);
      visit(entry, depth + 1);
    }
  };
  visit(given, 0);
  return names;
}

function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((entry) => renamed(entry, names));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [names.get(key) ?? key, renamed(entry, names)]),
  );
}
