import { visible } from "@treadle/protocol/safe-text";
import { words } from "../words/words.ts";
import { useOpenFound } from "./open-found.ts";
import { useFoundEverywhere } from "./use-found-everywhere.ts";

/**
 * The messages and file lines of any project that contain a text, for the first page. Draws nothing if there are none.
 */
export default function FoundList({ text }: { text: string }) {
  const { found, isSearching, more } = useFoundEverywhere(text, "all");
  const open = useOpenFound();
  if (found.length === 0 && !isSearching) return null;
  return (
    <section aria-label={words.commands.foundEverywhere} className="mt-4">
      <h3 className="text-small text-quiet">{words.commands.foundEverywhere}</h3>
      <ul>
        {found.map((one, index) =>
          one.kind === "project" ? null : (
            <li key={`${one.project} ${index}`}>
              <button
                type="button"
                onClick={() => open(one)}
                className="block w-full rounded px-2 py-1.5 text-left hover:bg-hover pointer-coarse:min-h-11"
              >
                <span
                  dir="auto"
                  className={`block truncate ${one.kind === "line" ? "font-mono text-small" : ""}`}
                >
                  {visible(one.text)}
                </span>
                <span className="block truncate text-small text-quiet">
                  {visible(one.name)}
                  {one.kind === "line" && ` · ${visible(one.path)}:${one.line}`}
                </span>
              </button>
            </li>
          ),
        )}
      </ul>
      <p role="status" className="px-2 text-small text-quiet">
        {isSearching ? words.commands.stillLooking : more ? words.commands.moreThere : ""}
      </p>
    </section>
  );
}
