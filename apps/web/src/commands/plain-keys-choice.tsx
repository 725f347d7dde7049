import { words } from "../words/words.ts";
import { usePlainKeys } from "./plain-keys.ts";

/** The setting whether single letters run commands. */
export function PlainKeysChoice() {
  const { on, set } = usePlainKeys();
  return (
    <div>
      <label className="flex items-center gap-2 pointer-coarse:min-h-11">
        <input
          type="checkbox"
          role="switch"
          className="accent-accent"
          checked={on}
          onChange={(event) => set(event.target.checked)}
        />
        {words.commands.plainKeys}
      </label>
      <p className="pl-6 text-small text-quiet">{words.commands.plainKeysAbout}</p>
    </div>
  );
}
