import type { Part, Script, Step } from "../script/types.ts";

export type Call = Extract<Part, { type: "call" }>;

/** The files of a script before one of its steps. */
export function filesBefore(script: Script, step: Step | undefined): Map<string, string> {
  const files = new Map<string, string>();
  for (const before of script.steps) {
    if (before === step) break;
    for (const part of before.parts) if (part.type === "call") applyCall(part, files);
  }
  return files;
}

/** Applies a call to the files. */
export function applyCall(call: Call, files: Map<string, string>): void {
  const path = String(call.input["path"] ?? "");
  if (call.tool === "write_file") files.set(path, String(call.input["content"] ?? ""));
  if (call.tool !== "edit_file" || !Array.isArray(call.input["edits"])) return;
  let content = files.get(path) ?? "";
  for (const edit of call.input["edits"] as { old: string; new: string; all?: boolean }[]) {
    // A function, because `$&` in the new text would be interpreted otherwise.
    content = edit.all
      ? content.replaceAll(edit.old, () => edit.new)
      : content.replace(edit.old, () => edit.new);
  }
  files.set(path, content);
}
