import { Search } from "../ui/icons.ts";
import { keysHint } from "../commands/hint.ts";
import { showOverPage } from "../commands/open-store.ts";
import { IconButton } from "../ui/button.tsx";
import { words } from "../words/words.ts";

/** Opens the palette, for people who do not know its shortcut or have no keyboard. */
export function CommandsButton() {
  return (
    <IconButton
      name={words.page.commands}
      {...keysHint("palette", words.page.commands)}
      onClick={() => showOverPage("all")}
    >
      <Search size={16} aria-hidden="true" />
    </IconButton>
  );
}
