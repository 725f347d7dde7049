import { Dialog } from "@base-ui/react/dialog";
import { useEffect, useRef, type ReactNode } from "react";
import { DialogHead } from "./dialog-head.tsx";

const FIRST = [
  "textarea:enabled",
  "select:enabled",
  "input:enabled:not([type=checkbox], [type=radio], [type=file])",
  "input[type=radio]:enabled:checked",
  "button[data-main]:enabled",
].join();

/**
 * Where whoever opens a dialog goes on at once: its first field, or its main action where that comes before. A finger goes
 * where it wants, and a field would bring its keyboard up over the dialog.
 */
const firstOf = (dialog: HTMLElement): HTMLElement | null =>
  matchMedia("(pointer: coarse)").matches ? null : dialog.querySelector<HTMLElement>(FIRST);

/** A dialog over the page: its title, the way out, and what is below. */
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
  /** False: what is below has not come yet, and the focus waits for it. */
  ready?: boolean;
  /** A click beside it does not close it. */
  heldOpen?: boolean;
  /** Whether it lies over other dialogs. */
  isOnTop?: boolean;
  /** Where it stands, and how wide. */
  className: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const popup = useRef<HTMLDivElement>(null);
  const begin = () => (popup.current && firstOf(popup.current)) ?? popup.current;
  useEffect(() => {
    // Who has gone somewhere meanwhile stays there.
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
