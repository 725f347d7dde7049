import { Dialog } from "@base-ui/react/dialog";
import { useEffect, useRef, type ReactNode } from "react";
import { DialogHead } from "./dialog-head.tsx";

const FIRST = [
  "textarea:enabled",
  "select:enabled",
  "input:enabled:not([type=checkbox], [type=radio], [type=file])",
  "input[type=radio]:enabled:checked",
  "button[data-main]:enabled:not([aria-disabled=true])",
].join();

/**
 * The element focused when a dialog opens: its first field, or its main action if that comes first. On touch screens none,
 * because focusing a field opens the keyboard over the dialog.
 */
const firstOf = (dialog: HTMLElement): HTMLElement | null =>
  matchMedia("(pointer: coarse)").matches ? null : dialog.querySelector<HTMLElement>(FIRST);

/** A modal dialog with a title, a close button and its contents. */
export function DialogBox({
  open = true,
  title,
  ready = true,
  heldOpen = false,
  isOnTop = false,
  className,
  onClose,
  children,
}: {
  open?: boolean;
  title: string;
  /** False until the contents have loaded; the focus waits for them. */
  ready?: boolean;
  /** Whether a click outside leaves it open. */
  heldOpen?: boolean;
  /** Whether it is shown above other dialogs. */
  isOnTop?: boolean;
  /** Position and width. */
  className: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const popup = useRef<HTMLDivElement>(null);
  const begin = () => (popup.current && firstOf(popup.current)) ?? popup.current;
  useEffect(() => {
    // If the focus has moved elsewhere meanwhile, it stays there.
    if (ready && popup.current && document.activeElement === popup.current)
      firstOf(popup.current)?.focus();
  }, [ready]);
  return (
    <Dialog.Root
      open={open}
      disablePointerDismissal={heldOpen}
      onOpenChange={(next) => !next && onClose()}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={`dim ${isOnTop ? "z-50" : "z-40"}`} />
        <Dialog.Popup
          ref={popup}
          initialFocus={begin}
          className={`floating fixed left-1/2 z-50 -translate-x-1/2 outline-none ${className}`}
        >
          <DialogHead title={title} />
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
