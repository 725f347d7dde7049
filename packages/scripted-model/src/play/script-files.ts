import type { Part, Script, Step } from "../script/types.ts";

export type Call = Extract<Part, { type: "call" }>;

/** The files of a script as they stand before one of its steps. */
export function filesBefore(script: Script, step: Step | undefined): Map<string, string> {
  const files = new Map<string, string>();
  for (const before of script.steps) {
    if (before === step) break;
    for (const part of before.parts) if (part.type === "call") applyCall(part, files);
  }
  return files;
}

/** What a call does to the files. */
export function applyCall(call: Call, files: Map<string, string>): void {
  const path = String(call.input["path"] ?? "");
  if (call.tool === "write_file") files.set(path, String(call.input["content"] ?? ""));
  if (call.tool !== "edit_file" || !Array.isArray(call.input["edits"])) return;
  let content = files.get(path) ?? "";
  for (const edit of call.input["edits"] as { old: string; new: string; all?: boolean }[]) {
    // A function, as `$&` in the new text would otherwise be read as a pattern.
    content = edit.all
      ? content.replaceAll(edit.old, () => edit.new)
      : content.replace(edit.old, () => edit.new);
  }
  files.set(path, content);
}
