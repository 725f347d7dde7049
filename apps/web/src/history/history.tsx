import { Popover } from "@base-ui/react/popover";
import { History as Clock } from "lucide-react";
import { useState } from "react";
import { CheckpointList } from "./checkpoint-list.tsx";
import { words } from "../words/words.ts";

/** The checkpoints behind a button in the header. */
export function History() {
  const [open, setOpen] = useState(false);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className="ml-1 inline-flex h-7 items-center gap-1.5 rounded px-2 text-small text-quiet hover:bg-hover hover:text-ink">
        <Clock size={16} aria-hidden="true" /> {words.history.history}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={4} align="end" collisionPadding={8} className="z-40">
          <Popover.Popup className="floating w-120 max-w-[calc(100vw-16px)]">
            <Popover.Title className="border-b border-line px-3 py-2 font-semibold">
              {words.history.history}
            </Popover.Title>
            <CheckpointList onDone={() => setOpen(false)} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
