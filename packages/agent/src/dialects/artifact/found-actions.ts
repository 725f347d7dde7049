import type { Found } from "@treadle/dialects/artifact";
import { meantContent } from "@treadle/dialects/meant";
import {
  imports,
  loneCommands,
  readChange,
  type FileChange,
  type ProjectCommand,
} from "@treadle/dialects/proposals";
import type { ToolName } from "@treadle/protocol/tools";
import type { TextOut } from "../text/text-answer.ts";

/** A tool call that code in the prose proposes. */
interface ProposedCall {
  tool: ToolName;
  input: object;
  /** Why the code cannot be understood. */
  refused?: string;
}

/** Collects the commands and file changes in code fences of an answer. */
export interface FoundActions {
  /** Records the content of a file that the answer writes. */
  wrote(content: string): void;
  /** Records that a fence of shell code opens; its content stays text. */
  openCommand(fence: string): void;
  closeCommand(fence: string, ordinal: number, command: string, complete: boolean): void;
  /** Adds the calls of a complete fence that describes changes. @param path the file named where the fence opens */
  change(ordinal: number, content: string, found: Found, path: string | undefined): void;
  /** Adds the call of a fence that the end of the answer cut off; it is interrupted. */
  cutChange(ordinal: number, path: string | undefined): void;
  /** Call at the end of the answer: the commands that are clearly meant become calls. */
  end(): void;
}

/** @param metadata the metadata for calls within the open artifact */
export function createFoundActions(
  { writeText, put, callId }: TextOut,
  metadata: () => Record<string, string>,
): FoundActions {
  const contents: string[] = [];
  const commands: { ordinal: number; text: string }[] = [];

  const call = (id: string, { tool, input, refused }: ProposedCall, found: Found, group = {}) => {
    const json = JSON.stringify(input);
    const treadle = { ...group, found: { ...found }, refused: refused || undefined };
    put({ type: "tool-input-start", id, toolName: tool, providerMetadata: { treadle: group } });
    put({ type: "tool-input-delta", id, delta: json });
    put({ type: "tool-input-end", id });
    put({ type: "tool-call", toolCallId: id, toolName: tool, input: json, providerMetadata: { treadle } }); // prettier-ignore
  };

  return {
    wrote: (content) => void contents.push(content),
    openCommand: (fence) => writeText(`${fence}\n`),
    closeCommand(fence, ordinal, text, complete) {
      const [ticks = "```"] = /^`+/.exec(fence) ?? [];
      if (complete) writeText(`\n${ticks}`);
      // A truncated block could be any command.
      commands.push({ ordinal, text: complete ? text : "?" });
    },
    change(ordinal, content, found, path) {
      const calls = proposedCalls(content, path);
      const group = metadata();
      for (const [at, one] of calls.entries())
        call(callId(at === 0 ? ordinal : `${ordinal}.${at}`), one, found, group);
    },
    cutChange(ordinal, path = "") {
      const id = callId(ordinal);
      put({ type: "tool-input-start", id, toolName: "edit_file" });
      put({ type: "tool-input-delta", id, delta: `{"path":${JSON.stringify(path)}` });
    },
    end() {
      const lone = loneCommands(commands.map(({ text }) => text));
      if (!lone?.every((one) => isNeeded(one, contents))) return;
      for (const [at, one] of lone.entries())
        call(
          callId(`${commands[0]?.ordinal ?? 0}.c${at}`),
          {
            tool: one.type === "start" ? "start_server" : "run_command",
            input: { command: one.command },
          },
          { fence: "" },
        );
    },
  };
}

/** Whether the command starts the app, or installs only packages that a file of the same answer imports. */
function isNeeded(command: ProjectCommand, contents: readonly string[]): boolean {
  if (command.type === "start") return true;
  return command.packages.every((name) =>
    contents.some((content) => imports(content, name.replace(/^@types\//, ""))),
  );
}

function proposedCalls(content: string, named: string | undefined): ProposedCall[] {
  const read = readChange(content);
  const path = named ?? "";
  if (!read?.ok) {
    const refused = read?.error ?? "The code block describes no change that can be read.";
    return [{ tool: "edit_file", input: { path }, refused }];
  }
  return read.changes.map((change) => proposedCall(change, path));
}

function proposedCall(change: FileChange, named: string): ProposedCall {
  const { path = named } = change;
  switch (change.type) {
    case "write":
      return {
        tool: "write_file",
        input: { path, content: meantContent(path, change.content) },
      };
    case "delete":
      return { tool: "delete_file", input: { path } };
    case "rename":
      return { tool: "rename_file", input: { from: path, to: change.to } };
    case "edit":
      return { tool: "edit_file", input: { path, edits: change.edits } };
  }
}
