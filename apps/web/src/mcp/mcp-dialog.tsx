import { Dialog } from "@base-ui/react/dialog";
import { DialogHead } from "../ui/dialog-head.tsx";
import { McpSection } from "./mcp-section.tsx";

/** Tool servers of all projects. */
export function McpDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dim z-40" />
        <Dialog.Popup className="floating fixed top-[8vh] left-1/2 z-50 max-h-[84vh] w-130 -translate-x-1/2">
          <DialogHead title="Tools of all projects" />
          <div className="p-4">
            <McpSection />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
