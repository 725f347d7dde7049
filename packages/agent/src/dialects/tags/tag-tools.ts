import type { JSONSchema7, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { parseSearchReplace, type Edit } from "@treadle/dialects";
import { type TodoItem } from "@treadle/protocol";
import { lastLineEnd } from "@treadle/dialects/meant";
import { toolEntry, type ArgumentKind } from "@treadle/protocol/tools";
import { formatSearchReplace } from "@treadle/dialects/search-replace";
import { formatTodo, parseTodo } from "../../context/todo/todo.ts";

/** A tool in this dialect: its parameters by name, with the kind of each value. */
export interface TagTool {
  name: string;
  description: string;
  params: ReadonlyMap<string, ParamKind>;
  /** Example values of parameters that are JSON, such as a number or a list. */
  examples: ReadonlyMap<string, string>;
}

/**
 * `file` is a file's whole content: the line break before its closing tag, which the dialect does not count as content,
 * ends the file's last line. `edits` are SEARCH/REPLACE blocks, `list` is a to-do list in lines, and `json` is any
 * other value that is not text.
 */
export type ParamKind = ArgumentKind | "text" | "json";

/** The tools of a request, with the parameters of their schemas. */
export function tagTools({ tools = [] }: LanguageModelV4CallOptions): TagTool[] {
  return tools.flatMap((tool) => {
    if (tool.type !== "function") return [];
    const properties = Object.entries(tool.inputSchema.properties ?? {});
    return [
      {
        name: tool.name,
        description: tool.description ?? "",
        params: new Map(
          properties.map(([name, schema]) => [name, kindOf(tool.name, name, schema)]),
        ),
        examples: new Map(
          properties
            .filter(([name, schema]) => kindOf(tool.name, name, schema) === "json")
            .map(([name, schema]) => [name, JSON.stringify(exampleOf(schema)) ?? "JSON"]),
        ),
      },
    ];
  });
}

/** An example value that a schema accepts; undefined if the schema has no type. */
function exampleOf(schema: unknown): unknown {
  const { type, items, properties, enum: choices } = (schema ?? {}) as JSONSchema7;
  if (choices) return choices[0];
  switch (type) {
    case "string":
      return "…";
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return true;
    case "array": {
      const one = exampleOf(items);
      return one === undefined ? undefined : [one];
    }
    case "object":
      return Object.fromEntries(
        Object.entries(properties ?? {}).map(([name, one]) => [name, exampleOf(one)]),
      );
  }
}

function kindOf(tool: string, name: string, schema: unknown): ParamKind {
  const kind = toolEntry(tool)?.arguments?.[name];
  if (kind) return kind;
  return (schema as { type?: unknown }).type === "string" ? "text" : "json";
}

/**
 * Converts a value to the tool's type. A value that cannot be parsed stays text, so that the tool's own schema reports
 * the error to the model.
 */
export function readValue(kind: ParamKind, value: string): unknown {
  if (kind === "text") return value;
  if (kind === "file") return value + lastLineEnd(value);
  if (kind === "edits") {
    const parsed = parseSearchReplace(value);
    if (parsed.ok) return parsed.edits;
  }
  if (kind === "list" && !/^\s*\[\s*[\]{]/.test(value)) return parseTodo(value);
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** Whether a SEARCH/REPLACE block of the value ends with a divider instead of its end marker. */
export function lacksEnd(value: string): boolean {
  const parsed = parseSearchReplace(value);
  return parsed.ok && parsed.endGuessed === true;
}

/** Formats an argument as a model of this dialect would write it. */
export function writeValue(kind: ParamKind, value: unknown): string {
  if (typeof value === "string") return kind === "file" ? value.replace(/\n$/, "") : value;
  if (kind === "edits" && isEdits(value)) return formatSearchReplace(value);
  if (kind === "list" && isList(value)) return formatTodo(value);
  return JSON.stringify(value);
}

/** The form of a to-do list in this dialect. */
export const LIST_EXAMPLE = "- [x] done\n- [>] being done\n- [ ] to do";

function isList(value: unknown): value is TodoItem[] {
  return (
    Array.isArray(value) &&
    value.every(
      (item: Partial<TodoItem> | null) =>
        typeof item?.text === "string" && ["todo", "doing", "done"].includes(item.status ?? ""),
    )
  );
}

function isEdits(value: unknown): value is Edit[] {
  return (
    Array.isArray(value) &&
    // SEARCH/REPLACE blocks cannot express `all`.
    value.every(
      (edit: Partial<Edit>) =>
        typeof edit.old === "string" && typeof edit.new === "string" && !edit.all,
    )
  );
}
