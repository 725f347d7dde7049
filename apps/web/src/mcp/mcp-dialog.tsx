import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { IconButton } from "../ui/button.tsx";
import { McpSection } from "./mcp-section.tsx";

/** Tool servers of all projects. */
export function McpDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dim z-40" />
        <Dialog.Popup className="floating fixed top-[8vh] left-1/2 z-50 max-h-[84vh] w-130 -translate-x-1/2">
          <div className="flex items-center justify-between border-b border-line py-2 pr-2 pl-4">
            <Dialog.Title className="text-large font-semibold">Of all projects</Dialog.Title>
            <Dialog.Close
              render={
                <IconButton name="Close">
                  <X size={16} aria-hidden="true" />
                </IconButton>
              }
            />
          </div>
          <div className="p-4">
            <McpSection />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
