import { Dialog } from "@base-ui/react/dialog";
import { showOverPage, useOverPage } from "../commands/open-store.ts";
import { PlainKeysChoice } from "../commands/plain-keys-choice.tsx";
import { ShortcutList } from "../commands/shortcut-list.tsx";
import { DialogHead } from "../ui/dialog-head.tsx";
import { words } from "../words/words.ts";
import Palette from "./palette.tsx";

/** What keys bring over any page: the palette, and the list of all keys. */
export default function OverPage() {
  const shown = useOverPage((state) => state.shown);
  return (
    <>
      <Palette shown={shown === "shortcuts" ? undefined : shown} />
      <Dialog.Root
        open={shown === "shortcuts"}
        onOpenChange={(open) => !open && showOverPage(undefined)}
      >
        <Dialog.Portal>
          <Dialog.Backdrop className="dim z-50" />
          <Dialog.Popup className="floating fixed top-[8vh] left-1/2 z-50 max-h-[84vh] w-170 -translate-x-1/2">
            <DialogHead title={words.commands.shortcuts} />
            <div className="space-y-4 p-4">
              <ShortcutList />
              <PlainKeysChoice />
            </div>
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    </>
  );
}
