/** Copies text to the clipboard, even on a page without HTTPS. @returns whether it succeeded */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The clipboard API is unavailable on plain HTTP in the local network, but selected text can still be copied.
    const field = document.createElement("textarea");
    field.value = text;
    field.style.position = "fixed";
    field.style.opacity = "0";
    const before = document.activeElement;
    // Inside an open dialog, because a dialog takes the focus back from elements outside of it, to a place of its own.
    (before?.closest('[role="dialog"]') ?? document.body).append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    return copied;
  }
}
