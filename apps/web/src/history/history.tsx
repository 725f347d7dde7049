import { Popover } from "@base-ui/react/popover";
import { useState } from "react";
import { History as Clock } from "../ui/icons.ts";
import { useCommand } from "../commands/available.ts";
import { keysHint } from "../commands/hint.ts";
import { CheckpointList } from "./checkpoint-list.tsx";
import { words } from "../words/words.ts";

/** The checkpoints, behind a button in the header. */
export function History() {
  const [open, setOpen] = useState(false);
  useCommand("history", () => setOpen(true));
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        {...keysHint("history", words.history.history)}
        className="ml-1 inline-flex h-7 items-center gap-1.5 rounded px-2 text-small text-quiet hover:bg-hover hover:text-ink"
      >
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
