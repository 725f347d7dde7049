import { Search } from "../ui/icons.ts";
import { keysHint } from "../commands/hint.ts";
import { showOverlay } from "../commands/overlay-store.ts";
import { IconButton } from "../ui/button.tsx";
import { words } from "../words/words.ts";

/** Opens the palette, for people who do not know its shortcut or have no keyboard. */
export function CommandsButton() {
  return (
    <IconButton
      name={words.page.commands}
      {...keysHint("palette", words.page.commands)}
      onClick={() => showOverlay("all")}
    >
      <Search size={16} aria-hidden="true" />
    </IconButton>
  );
}
