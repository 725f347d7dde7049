import { AlertDialog } from "@base-ui/react/alert-dialog";
import { useState, type ReactNode } from "react";
import { sentence } from "../api/request.ts";
import { Button } from "./button.tsx";
import { words } from "../words/words.ts";

/**
 * Asks for confirmation before something that cannot be undone, on top of other dialogs. A failure is shown in the dialog,
 * which then stays open.
 */
export function Confirm({
  open,
  onClose,
  title,
  children,
  action,
  onConfirm,
}: {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  action: string;
  onConfirm: () => Promise<void>;
}) {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setProblem(sentence(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="dim z-60" />
        <AlertDialog.Popup className="floating fixed top-[20vh] z-60 left-1/2 w-105 -translate-x-1/2 p-4">
          <AlertDialog.Title className="text-large font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-2 text-quiet" render={<div />}>
            {children}
          </AlertDialog.Description>
          {problem && (
            <p role="alert" className="mt-2 text-failed">
              {problem}
            </p>
          )}
          <div className="mt-4 flex justify-end gap-2">
            <Button size="medium" onClick={onClose}>
              {words.ui.keepIt}
            </Button>
            <Button size="medium" kind="danger" disabled={busy} onClick={() => void confirm()}>
              {action}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
