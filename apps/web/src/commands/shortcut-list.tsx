import { words } from "../words/words.ts";
import { shownKeys } from "./keys.ts";
import { COMMAND_IDS, COMMANDS, GROUPS, keysOf, type Keys } from "./list.ts";

/** Keys as printed on a keyboard. */
export function KeyCaps({ keys }: { keys: Keys }) {
  return (
    <span className="inline-flex shrink-0 gap-1">
      {shownKeys(keys).map((press) => (
        <kbd
          key={press}
          className="min-w-5 rounded border border-line bg-paper px-1 text-center font-sans text-small text-quiet"
        >
          {press}
        </kbd>
      ))}
    </span>
  );
}

/** Every command with its keys, by group. */
export function ShortcutList() {
  return (
    <div className="gap-x-10 wide:columns-2">
      {GROUPS.map((group) => (
        <section key={group} aria-labelledby={`keys-${group}`} className="mb-4 break-inside-avoid">
          <h3 id={`keys-${group}`} className="mb-1 text-small font-semibold text-quiet">
            {words.commands.groups[group]}
          </h3>
          <dl>
            {COMMAND_IDS.filter((id) => COMMANDS[id].group === group).map((id) => (
              <div key={id} className="flex min-h-7 items-center justify-between gap-4">
                <dt className="min-w-0">{words.commands.titles[id]}</dt>
                <dd className="flex shrink-0 gap-2">
                  {keysOf(id).map((keys) => (
                    <KeyCaps key={keys} keys={keys} />
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
