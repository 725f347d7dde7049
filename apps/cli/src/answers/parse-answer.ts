import { createArtifactParser, createToolTagParser, type ArtifactEvent, type ToolTagEvent } from "@treadle/dialects"; // prettier-ignore
import { createLenientArtifactParser, readQuickActions } from "@treadle/dialects/artifact";
import {
  lastLineEnd,
  meantCommand,
  meantContent,
  meantPath,
  unreadCall,
} from "@treadle/dialects/meant";
import { parseSearchReplace } from "@treadle/dialects";
import { readChange } from "@treadle/dialects/proposals";
import { createUnfencedToolTagParser } from "@treadle/dialects/tool-tags";
import type { AnswerChange } from "./apply-answer.ts";
import { TAG_TOOLS } from "./tag-tools.ts";

/** Receives the parts of a saved answer. */
export interface AnswerOut {
  event(event: { type: string }): void;
  /** Called for a complete change of a file. */
  changed(change: AnswerChange): void;
  /** Called for a command in prose, which nobody runs. */
  command(text: string): void;
  /** Called for a file that was started but not ended. */
  cut(): void;
  /** Called for something that cannot be applied. */
  wrong(sentence: string): void;
  /** Called for an irregularity that was tolerated. */
  odd(sentence: string): void;
}

const COMMANDS = new Set(["shell", "start", "build"]);

/** Parses a saved answer as a run does; with `exact`, literally. */
export function parseAnswer(
  { dialect, exact }: { dialect: "artifact" | "tags"; exact: boolean },
  out: AnswerOut,
): { write(text: string): void; end(): void } {
  const words: string[] = [];
  const result: AnswerOut = {
    ...out,
    event(event: { type: string; text?: string }) {
      if (event.type === "text") words.push(event.text ?? "");
      out.event(event);
    },
  };
  const reader = dialect === "artifact" ? readActions(exact, result) : readTools(exact, result);
  return {
    write: reader.write,
    end() {
      reader.end();
      const unread = exact ? undefined : unreadCall(words.join(""));
      if (unread !== undefined) out.wrong(`Not carried out: the part that begins with ${JSON.stringify(unread)}.`); // prettier-ignore
    },
  };
}

function readActions(exact: boolean, out: AnswerOut) {
  /** Actions with a reported error. */
  const refused = new Set<number>();
  const create = exact ? createArtifactParser : createLenientArtifactParser;
  return create({
    quickActions: readQuickActions,
    onEvent(written) {
      const event = exact ? written : meantAction(written);
      out.event(event);
      if (event.type === "error") {
        // Nothing is lost: open parts have been closed.
        out[event.code === "artifact-not-closed" ? "odd" : "wrong"](event.message);
        if (event.action !== undefined) refused.add(event.action);
      }
      if (event.type !== "action-close") return;
      const { actionType, operation, filePath, complete, action, content, found } = event;
      if (event.endImplied)
        out.odd(
          `${filePath ?? actionType} was not closed. It ends where the next action begins, or where its artifact ends.`,
        );
      if (found && complete && actionType === "shell") return out.command(content);
      if (found && complete && actionType === "edit") return readFound(content, filePath, out);
      if (actionType !== "file" && actionType !== "edit" && operation !== "migration") return;
      if (complete && filePath !== undefined) {
        const by = found && { by: found.by ?? ("label" as const) };
        out.changed(
          operation === "delete"
            ? { type: "delete", path: filePath }
            : { type: "write", path: filePath, content, ...by },
        );
      } else if (!complete && !refused.has(action)) out.cut();
    },
  });
}

/** Reports the file changes that a code fence describes. */
function readFound(content: string, named: string | undefined, out: AnswerOut): void {
  const read = readChange(content);
  if (!read?.ok) return out.wrong(`Not carried out: ${read?.error ?? "a code block that describes no change."}`); // prettier-ignore
  for (const change of read.changes) {
    const path = meantPath(change.path ?? named ?? "");
    if (change.type === "edit") out.changed({ type: "edit", path, edits: change.edits });
    else if (change.type === "write")
      out.changed({ type: "write", path, content: change.content, by: "label" });
    else out.wrong(`Not carried out: a code block does not ${change.type} ${path}.`);
  }
}

/** The parameter with SEARCH/REPLACE blocks of each tool that edits a file. */
const EDITS: Record<string, string> = {
  replace_in_file: "diff",
  apply_diff: "diff",
  edit_file: "edits",
};

function meantAction(event: ArtifactEvent): ArtifactEvent {
  if (event.type !== "action-close") return event;
  const { actionType, content } = event;
  const filePath = meantPath(event.filePath ?? "");
  if (COMMANDS.has(actionType)) return { ...event, content: meantCommand(content) };
  const isFile = actionType === "file" || filePath !== "";
  if (!isFile) return event;
  const named = filePath === "" ? {} : { filePath };
  return { ...event, ...named, content: meantContent(filePath, content, event.endImplied) };
}

function readTools(exact: boolean, out: AnswerOut) {
  const create = exact ? createToolTagParser : createUnfencedToolTagParser;
  return create({
    tools: TAG_TOOLS,
    onEvent(written) {
      const event = exact ? written : meantTool(written);
      out.event(event);
      if (event.type === "error")
        out[event.code === "unknown-param" ? "odd" : "wrong"](event.message);
      if (event.type !== "tool-close") return;
      const { path, content } = event.params;
      const isWrite = event.name === "write_to_file" || event.name === "write_file";
      const blocks = Object.hasOwn(EDITS, event.name) ? EDITS[event.name] : undefined;
      if (!isWrite && blocks === undefined && event.name !== "delete_file") return;
      if (!event.complete) return out.cut();
      if (path === undefined) return;
      if (blocks !== undefined) {
        const parsed = parseSearchReplace(event.params[blocks] ?? "");
        if (parsed.ok) out.changed({ type: "edit", path, edits: parsed.edits });
        else out.wrong(`Not carried out: the edit of ${path} cannot be read. ${parsed.error}`);
      } else if (!isWrite) out.changed({ type: "delete", path });
      else if (content !== undefined) out.changed({ type: "write", path, content });
    },
  });
}

function meantTool(event: ToolTagEvent): ToolTagEvent {
  if (event.type !== "tool-close") return event;
  const { content, command } = event.params;
  const path = meantPath(event.params["path"] ?? "");
  return {
    ...event,
    params: {
      ...event.params,
      ...(path === "" ? {} : { path }),
      ...(content === undefined
        ? {}
        : { content: meantContent(path, content + lastLineEnd(content)) }),
      ...(command === undefined ? {} : { command: meantCommand(command) }),
    },
  };
}
