import { Settings as Gear } from "../ui/icons.ts";
import { keysHint } from "../commands/hint.ts";
import { useSettingsPlace } from "../project/settings-place.ts";
import { IconButton } from "../ui/button.tsx";
import { loadSettings } from "./settings-place.tsx";
import { words } from "../words/words.ts";

/** Opens the settings. */
export function SettingsButton() {
  const { open } = useSettingsPlace();
  return (
    <IconButton
      name={words.settings.settings}
      {...keysHint("settings", words.settings.settings)}
      onPointerEnter={() => void loadSettings()}
      onFocus={() => void loadSettings()}
      onClick={() => open()}
    >
      <Gear size={16} aria-hidden="true" />
    </IconButton>
  );
}
