import { openTextEditor } from "./text-editor.ts";

/** Opens and closes an invisible editor, because the first one takes several times as long as later ones. */
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
