import type { Part, Script, Step } from "../script/types.ts";
import { applyCall, filesBefore, type Call } from "./script-files.ts";

/**
 * Converts parts for a model without tools: consecutive calls become one bolt artifact in the text.
 * `edit_file` becomes the whole file, with all earlier writes and edits of the script. Calls
 * without an action in that dialect (looking at files, reading evidence) are left out; broken
 * arguments are shown unchanged.
 */
export function asArtifact(script: Script, step: Step | undefined, parts: Part[]): Part[] {
  const files = filesBefore(script, step);
  const rendered: Part[] = [];
  let text: string[] = [];
  let open = false;

  const closeArtifact = (): void => {
    if (open) text.push("</boltArtifact>");
    open = false;
  };
  const endText = (): void => {
    closeArtifact();
    if (text.length > 0) rendered.push({ type: "say", text: text.join("\n") });
    text = [];
  };

  for (const part of parts) {
    if (part.type === "say") {
      closeArtifact();
      text.push(part.text);
    } else if (part.type === "call") {
      applyCall(part, files);
      const action = actionOf(part, files);
      if (action === undefined) continue;
      if (!open) text.push(`<boltArtifact id="${script.name}" title="${script.name}">`);
      open = true;
      text.push(action);
    } else if (part.type === "raw-call") {
      closeArtifact();
      text.push(part.json);
    } else {
      // A break with `after` counts the rendered characters so far: keep the order.
      endText();
      rendered.push(part);
    }
  }
  endText();
  return rendered;
}

function actionOf(call: Call, files: Map<string, string>): string | undefined {
  if (call.tool === "write_file" || call.tool === "edit_file") {
    const path = String(call.input["path"] ?? "");
    const content = files.get(path) ?? "";
    const body = content.endsWith("\n") ? content : `${content}\n`;
    return `<boltAction type="file" filePath="${path}">\n${body}</boltAction>`;
  }
  const type =
    call.tool === "run_command" ? "shell" : call.tool === "start_server" ? "start" : undefined;
  if (type === undefined) return undefined;
  return `<boltAction type="${type}">${String(call.input["command"] ?? "")}</boltAction>`;
}
