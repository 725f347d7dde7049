import type { ActionHead, ArtifactEvent } from "@treadle/dialects";
import type { ToolName } from "@treadle/protocol/tools";
import {
  createArtifactParser,
  createLenientArtifactParser,
  readQuickActions,
} from "@treadle/dialects/artifact";
import { meantCommand, meantContent, meantPath } from "@treadle/dialects/meant";
import { parseTodo } from "../../context/todo/todo.ts";
import type { TextOut, TextReader } from "../text/text-answer.ts";
import { createFoundActions } from "./found-actions.ts";
import { parseRead } from "./read-action.ts";

/**
 * The tool for each type of action, and the argument that receives its content. Other types become calls of an unknown
 * tool.
 */
const ACTIONS: Record<string, { tool: ToolName; argument: string }> = {
  file: { tool: "write_file", argument: "content" },
  shell: { tool: "run_command", argument: "command" },
  build: { tool: "run_command", argument: "command" },
  start: { tool: "start_server", argument: "command" },
  skill: { tool: "use_skill", argument: "name" },
  read: { tool: "read_file", argument: "path" },
  outline: { tool: "outline", argument: "path" },
  todo: { tool: "todo", argument: "items" },
  finish: { tool: "finish", argument: "done" },
};

/** The note for the model about an action that ran without a closing tag. */
const UNCLOSED =
  "Note: </boltAction> was missing, so it was taken to end where the next action begins, or its artifact ends. Close every action.";
/** The note for the model about an action that ended with another tag. */
const OTHER_END =
  "Note: another tag stood in the place of </boltAction>, so the end of the action was guessed. Close every action with </boltAction>.";
/** Turns a query into a command that passes it on standard input: the database is the project's own. */
const QUERY = { begin: "treadle-db query <<'TREADLE_SQL'\n", end: "\nTREADLE_SQL" };

/** Parses the actions in a model's text and emits them as tool calls, as they stream. */
export function readActions(out: TextOut, { recover }: { recover: boolean }): TextReader {
  const { writeText, put, callId, groupId } = out;
  let artifact: { group: string; id: string; title: string } | undefined;
  /** Why the open action cannot be run. */
  let refused: string | undefined;
  /**
   * The type of an open action in a fence, which streams no call: a change is parsed when complete, a command stays
   * text.
   */
  let fencedType: string | undefined;
  const fenced = createFoundActions(out, () => ({ ...artifact }));
  /** The call of a file whose content is written again; the earlier part is discarded. */
  let again: string | undefined;
  const ids = new Map<number, string>();
  const idOf = (action: number) => ids.get(action) ?? callId(action);

  const open = (event: ActionHead) => {
    fencedType = event.found && event.actionType !== "file" ? event.actionType : undefined;
    if (fencedType === "shell") fenced.openCommand(event.found?.fence ?? "");
    if (fencedType !== undefined) return;
    const { tool, argument } = toolFor(event);
    if (again !== undefined) ids.set(event.action, again);
    again = undefined;
    const id = idOf(event.action);
    const path = event.filePath === undefined ? "" : `"path":${JSON.stringify(event.filePath)}`;
    refused = undefined;
    put({
      type: "tool-input-start",
      id,
      toolName: tool,
      providerMetadata: { treadle: { ...artifact } },
    });
    const begun = argument === "" ? path : `${path && `${path},`}"${argument}":"`;
    const before = isQuery(event) ? JSON.stringify(QUERY.begin).slice(1, -1) : "";
    put({ type: "tool-input-delta", id, delta: `{${begun}${before}` });
  };

  const closeFenced = (event: ArtifactEvent & { type: "action-close" }) => {
    const { action, actionType, content, complete, filePath, found } = event;
    if (!found) return;
    if (actionType === "shell") fenced.closeCommand(found.fence, action, content, complete);
    else if (complete) fenced.change(action, content, found, filePath);
    else fenced.cutChange(action, filePath);
  };

  const close = (event: ArtifactEvent & { type: "action-close" }) => {
    if (fencedType !== undefined) return closeFenced(event);
    if (event.actionType === "file") fenced.wrote(event.content);
    if (event.isRestart) again = idOf(event.action);
    // The call stays open: the loop interrupts incomplete calls.
    if (!event.complete && refused === undefined) return;
    const { tool, argument } = toolFor(event);
    const id = idOf(event.action);
    const note = event.endGuessed ? OTHER_END : event.endImplied ? UNCLOSED : undefined;
    const more = {
      found: event.found ? { ...event.found } : undefined,
      refused,
      ...(note === undefined ? {} : { note, endGuessed: true }),
    };
    const after = isQuery(event) ? JSON.stringify(QUERY.end).slice(1, -1) : "";
    put({ type: "tool-input-delta", id, delta: argument === "" ? "}" : `${after}"}` });
    put({ type: "tool-input-end", id });
    put({
      type: "tool-call",
      toolCallId: id,
      toolName: tool,
      input: JSON.stringify(inputOf(event)),
      providerMetadata: { treadle: { ...artifact, actionType: event.actionType, ...more } },
    });
  };

  const create = recover ? createLenientArtifactParser : createArtifactParser;
  const parser = create({
    quickActions: readQuickActions,
    onEvent(event: ArtifactEvent) {
      switch (event.type) {
        case "text":
          return writeText(event.text);
        case "artifact-open":
          // An artifact that is opened again, as after a cut, is the same one.
          if (event.id !== "" && event.id === artifact?.id) break;
          artifact = { group: groupId(event.artifact), id: event.id, title: event.title };
          break;
        case "action-open":
          return open(event);
        case "action-delta":
          if (fencedType !== undefined) {
            if (fencedType === "shell") writeText(event.text);
            break;
          }
          // The content of an action that cannot be run is not shown as if it were run.
          if (refused === undefined)
            put({
              type: "tool-input-delta",
              id: idOf(event.action),
              delta: JSON.stringify(event.text).slice(1, -1),
            });
          break;
        case "error":
          if (event.action !== undefined && event.code !== "unknown-action-type")
            refused = event.message;
          break;
        case "action-close":
          return close(event);
        default:
      }
    },
  });
  return {
    write: parser.write,
    end() {
      parser.end();
      fenced.end();
    },
  };
}

/** The arguments of the tool that an action calls. */
function inputOf(event: ArtifactEvent & { type: "action-close" }): object {
  const { tool, argument } = toolFor(event);
  const path = event.filePath === undefined ? {} : { path: meantPath(event.filePath) };
  if (argument === "") return path;
  if (argument === "content")
    return {
      ...path,
      content: meantContent(event.filePath ?? "", event.content, event.endImplied),
    };
  const content = event.content.trim();
  if (isQuery(event)) return { command: QUERY.begin + content + QUERY.end };
  if (argument === "command") return { command: meantCommand(content) };
  if (tool === "read_file") return parseRead(content);
  return { ...path, [argument]: tool === "todo" ? parseTodo(content) : content };
}

const isQuery = ({ actionType, operation }: ActionHead) =>
  actionType === "supabase" && operation === "query";

/** The tool that an action calls, and the argument that receives its content; empty for a file that is deleted. */
function toolFor(head: ActionHead): { tool: string; argument: string } {
  const { actionType, operation } = head;
  if (isQuery(head)) return { tool: "run_command", argument: "command" };
  if (actionType === "file" && operation === "delete") return { tool: "delete_file", argument: "" };
  if (actionType === "supabase" && operation === "migration")
    return { tool: "write_file", argument: "content" };
  return Object.hasOwn(ACTIONS, actionType)
    ? (ACTIONS[actionType] ?? { tool: actionType, argument: "content" })
    : { tool: actionType || "action", argument: "content" };
}
