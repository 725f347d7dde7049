import type { MentionedItem } from "@treadle/protocol";
import { visible } from "@treadle/protocol/safe-text";

/** What the model was given of what a message points at, and what could not be found. */
export function MentionedNotes({ items }: { items: readonly MentionedItem[] }) {
  const missing = items.filter(({ ok }) => !ok);
  const given = items.filter(({ ok }) => ok);
  return (
    <div className="mt-1 text-small">
      {given.length > 0 && (
        <details>
          <summary className="cursor-pointer text-quiet">
            {given.length === 1 ? "1 thing" : `${given.length} things`} given with it
          </summary>
          <ul className="mt-0.5 space-y-0.5 text-quiet">
            {given.map(({ text, said }) => (
              <li key={text} className="break-words">
                <span className="font-mono">{visible(text)}</span> {visible(said)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {missing.length > 0 && (
        <ul aria-label="Not found" className="space-y-0.5 text-unsure">
          {missing.map(({ text, said }) => (
            <li key={text} className="break-words">
              <span className="font-mono">{visible(text)}</span> was not given: {visible(said)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
