import type { ToolTagEvent } from "@treadle/dialects";
import type { ToolName } from "@treadle/protocol/tools";
import { lastLineEnd, meantCommand, meantContent, meantPath } from "@treadle/dialects/meant";
import { createUnfencedToolTagParser, type ToolAlias } from "@treadle/dialects/tool-tags";
import type { TextOut, TextReader } from "../text/text-answer.ts";
import { lacksEnd, readValue, type TagTool } from "./tag-tools.ts";

/** Names that Cline and its descendants use for the same tools: models trained on them write those. */
const ALIASES = {
  write_to_file: { tool: "write_file" },
  replace_in_file: { tool: "edit_file", params: { diff: "edits" } },
  apply_diff: { tool: "edit_file", params: { diff: "edits" } },
  execute_command: { tool: "run_command" },
  update_todo_list: { tool: "todo", params: { todos: "items" } },
  attempt_completion: { tool: "finish", params: { result: "done" } },
} satisfies Record<string, ToolAlias & { tool: ToolName }>;

/** The note for the model about a call that ran without one of its closing tags. */
const UNCLOSED =
  "Note: a closing tag was missing or misspelt, so its end was guessed from what follows. Close every tag of a call.";
const UNCLOSED_BLOCK =
  "Note: a SEARCH/REPLACE block ended with =======, so its end was guessed. End each with +++++++ REPLACE.";

/** Parses the tools in a model's text and emits them as tool calls, as they stream. */
export function readTools(
  { writeText, put, callId }: TextOut,
  tools: readonly TagTool[],
): TextReader {
  const kinds = new Map(tools.map(({ name, params }) => [name, params]));
  /** The text before the next parameter of the call in progress. */
  let before = "";

  const delta = (tool: number, json: string) =>
    put({ type: "tool-input-delta", id: idOf(tool), delta: json });

  let current = "";
  /** Notes for the model to add to the result of the call in progress. */
  let notes: string[] = [];
  const kindOf = (param: string) => kinds.get(current)?.get(param) ?? "text";
  /** Whether the value is emitted as it arrives; others are parsed when complete. */
  const streams = (param: string) => kindOf(param) === "text" || kindOf(param) === "file";

  /** The call that is written again; the earlier part is discarded. */
  let again: string | undefined;
  const ids = new Map<number, string>();
  const idOf = (tool: number) => ids.get(tool) ?? callId(tool);
  let unknown = 0;
  /** Emits a call of an unknown tool, to which the loop answers with the available ones. */
  const putUnknown = (name: string) => {
    const id = callId(-++unknown);
    put({ type: "tool-input-start", id, toolName: name || "tool" });
    put({ type: "tool-input-end", id });
    put({ type: "tool-call", toolCallId: id, toolName: name || "tool", input: "{}" });
  };

  return createUnfencedToolTagParser({
    aliases: ALIASES,
    tools: Object.fromEntries(tools.map(({ name, params }) => [name, [...params.keys()]])),
    onEvent(event: ToolTagEvent) {
      switch (event.type) {
        case "text":
          return writeText(event.text);
        case "tool-open":
          current = event.name;
          notes = [];
          before = "{";
          if (again !== undefined) ids.set(event.tool, again);
          again = undefined;
          put({
            type: "tool-input-start",
            id: idOf(event.tool),
            toolName: event.name,
          });
          break;
        case "param-open":
          delta(event.tool, `${before}${JSON.stringify(event.name)}:`);
          before = ",";
          if (streams(event.name)) delta(event.tool, '"');
          break;
        case "param-delta":
          if (streams(event.name)) delta(event.tool, JSON.stringify(event.text).slice(1, -1));
          break;
        case "param-close": {
          const kind = kindOf(event.name);
          if (kind === "file")
            delta(event.tool, JSON.stringify(lastLineEnd(event.value)).slice(1, -1));
          delta(
            event.tool,
            streams(event.name) ? '"' : JSON.stringify(readValue(kind, event.value)),
          );
          break;
        }
        case "tool-close": {
          if (event.isRestart) again = idOf(event.tool);
          // The call stays open: the loop interrupts incomplete calls.
          if (!event.complete) break;
          if (event.endGuessed) notes.push(UNCLOSED);
          let endGuessed = event.endGuessed === true;
          const id = idOf(event.tool);
          delta(event.tool, before === "{" ? "{}" : "}");
          const path = meantPath(event.params["path"] ?? "");
          const input = Object.fromEntries(
            Object.entries(event.params).map(([name, value]) => {
              const kind = kindOf(name);
              if (kind === "edits" && lacksEnd(value)) {
                endGuessed = true;
                notes.push(UNCLOSED_BLOCK);
              }
              const meant = readValue(kind, value);
              if (kind === "file") return [name, meantContent(path, String(meant))];
              if (name === "path") return [name, path];
              return [name, name === "command" ? meantCommand(value) : meant];
            }),
          );
          put({ type: "tool-input-end", id });
          put({
            type: "tool-call",
            toolCallId: id,
            toolName: event.name,
            input: JSON.stringify(input),
            ...(notes.length > 0
              ? { providerMetadata: { treadle: { note: notes.join("\n"), endGuessed } } }
              : {}),
          });
          break;
        }
        case "error":
          if (event.code === "unknown-param") notes.push(`Note: ${event.message}`);
          if (event.code === "unknown-tool") putUnknown(/"(.*)"/.exec(event.message)?.[1] ?? "");
          break;
        default:
      }
    },
  });
}
