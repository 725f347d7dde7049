import { openTextEditor } from "./text-editor.ts";

/** Opens an editor that nobody sees, and closes it: the first one costs several times what every later one does. */
export function warmEditor(): void {
  const parent = document.createElement("div");
  const editor = openTextEditor({
    parent,
    path: "warm.ts",
    onEdit: () => undefined,
    onSave: () => undefined,
    onBlur: () => undefined,
  });
  editor.beginTyping();
  editor.type("export const warm = { up: true };\n");
  editor.close();
}
