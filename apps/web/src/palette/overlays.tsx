import { showOverlay, useOverlay } from "../commands/overlay-store.ts";
import { PlainKeysChoice } from "../commands/plain-keys-choice.tsx";
import { ShortcutList } from "../commands/shortcut-list.tsx";
import { DialogBox } from "../ui/dialog-box.tsx";
import { words } from "../words/words.ts";
import Palette from "./palette.tsx";

/** The overlays opened by keys: the palette, and the list of shortcuts. */
export default function Overlays() {
  const shown = useOverlay((state) => state.shown);
  return (
    <>
      <Palette shown={shown === "shortcuts" ? undefined : shown} />
      <DialogBox
        open={shown === "shortcuts"}
        isOnTop
        title={words.commands.shortcuts}
        className="top-[8vh] max-h-[84vh] w-170"
        onClose={() => showOverlay(undefined)}
      >
        <div className="space-y-4 p-4">
          <ShortcutList />
          <PlainKeysChoice />
        </div>
      </DialogBox>
    </>
  );
}
