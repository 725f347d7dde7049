import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import type { ToolCallText } from "@treadle/dialects";
import { formatToolCalls, formatToolResult } from "@treadle/dialects/tool-tags";
import { prose } from "../../text/prose.ts";
import { resultOf } from "../text/result-of.ts";
import { LIST_EXAMPLE, writeValue, type TagTool } from "./tag-tools.ts";

/** Written exactly like earlier calls, because a model copies what it sees. */
const EDIT = formatToolCalls([
  {
    name: "edit_file",
    params: {
      path: "src/main.ts",
      edits: writeValue("edits", [{ old: "const size = 1;", new: "const size = 2;" }]),
    },
  },
]);

const GRAMMAR = prose(new URL("./grammar.md", import.meta.url)).replace("{edit}", () => EDIT);

/** The conversation in this dialect: calls as tags, and their results as messages of the user. */
export function callsToTags(
  prompt: LanguageModelV4Prompt,
  tools: readonly TagTool[],
): LanguageModelV4Prompt {
  const grammar = `${GRAMMAR}\n\n${tools.map(toolText).join("\n\n")}`;
  const calls = new Map<string, ToolCallText>();
  const [first, ...rest] = prompt;
  const turned = (first?.role === "system" ? rest : prompt).map((message) =>
    turn(message, tools, calls),
  );
  if (first?.role !== "system") return [{ role: "system", content: grammar }, ...turned];
  return [{ ...first, content: `${first.content}\n\n${grammar}` }, ...turned];
}

function turn(
  message: LanguageModelV4Message,
  tools: readonly TagTool[],
  calls: Map<string, ToolCallText>,
): LanguageModelV4Message {
  if (message.role === "assistant") {
    // Reasoning is left out: models of this dialect do not receive it back.
    const pieces = message.content.flatMap((part) => {
      if (part.type === "text") return [part.text];
      if (part.type !== "tool-call") return [];
      const call = callText(part, tools);
      calls.set(part.toolCallId, call);
      return [formatToolCalls([call])];
    });
    const text = pieces.join("\n");
    return { ...message, content: text === "" ? [] : [{ type: "text", text }] };
  }
  if (message.role !== "tool") return message;
  const { role: _role, content, ...options } = message;
  const results = content
    .filter((part): part is LanguageModelV4ToolResultPart => part.type === "tool-result")
    .map((part) => {
      const { ok, text } = resultOf(part);
      const call = calls.get(part.toolCallId) ?? { name: part.toolName, params: {} };
      return formatToolResult(call, text, ok);
    });
  return { ...options, role: "user", content: [{ type: "text", text: results.join("\n\n") }] };
}

function callText(
  { toolName, input }: LanguageModelV4ToolCallPart,
  tools: readonly TagTool[],
): ToolCallText {
  const kinds = tools.find(({ name }) => name === toolName)?.params;
  const params = Object.entries((input ?? {}) as Record<string, unknown>).map(([name, value]) => [
    name,
    writeValue(kinds?.get(name) ?? "text", value),
  ]);
  return { name: toolName, params: Object.fromEntries(params) as Record<string, string> };
}

function toolText({ name, description, params, examples }: TagTool): string {
  const lines = [...params].map(([param, kind]) =>
    kind === "list"
      ? `<${param}>\n${LIST_EXAMPLE}\n</${param}>`
      : `<${param}>${examples.get(param) ?? "…"}</${param}>`,
  );
  return `${description}\n${[`<${name}>`, ...lines, `</${name}>`].join("\n")}`;
}
