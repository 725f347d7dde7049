import { Search, Settings as Gear } from "../ui/icons.ts";
import { keysHint } from "../commands/hint.ts";
import { ariaKeys, shownKeys } from "../commands/keys.ts";
import { keysOf } from "../commands/list.ts";
import { showOverlay } from "../commands/overlay-store.ts";
import { useSettingsPlace } from "../project/settings-place.ts";
import { loadSettings } from "../settings/settings-place.tsx";
import { OwnMenu } from "../account/own-menu.tsx";
import { Button } from "../ui/button.tsx";
import { LoopMark } from "../ui/loop-mark.tsx";
import { words } from "../words/words.ts";

/** The name, search and settings; on a narrow screen the last two are icons that keep their accessible names. */
export function HomeHeader() {
  const settings = useSettingsPlace();
  const keys = keysOf("palette");
  return (
    <header className="flex items-center gap-1 px-4 py-2.5">
      <LoopMark />
      <span className="ml-1 text-large font-semibold">Treadle</span>
      <span className="ml-auto" />
      <Button
        kind="quiet"
        aria-keyshortcuts={ariaKeys(keys)}
        onClick={() => showOverlay("all")}
        className="pointer-coarse:min-w-11"
      >
        <Search size={16} aria-hidden="true" className="wide:hidden" />
        <span className="max-wide:sr-only">{words.home.search}</span>
        {keys[0] !== undefined && (
          <kbd aria-hidden="true" className="ml-1 font-sans max-wide:hidden">
            {shownKeys(keys[0]).join(" ")}
          </kbd>
        )}
      </Button>
      <Button
        kind="quiet"
        {...keysHint("settings", words.settings.settings)}
        className="pointer-coarse:min-w-11"
        onPointerEnter={() => void loadSettings()}
        onFocus={() => void loadSettings()}
        onClick={() => settings.open()}
      >
        <Gear size={16} aria-hidden="true" className="wide:hidden" />
        <span className="max-wide:sr-only">{words.settings.settings}</span>
      </Button>
      <OwnMenu />
    </header>
  );
}
