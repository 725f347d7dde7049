import type { MentionedItem } from "@treadle/protocol";
import { visible } from "@treadle/protocol/safe-text";
import { words } from "../words/words.ts";

/** The mentioned items that the model received, and those that were not found. */
export function MentionedNotes({ items }: { items: readonly MentionedItem[] }) {
  const missing = items.filter(({ ok }) => !ok);
  const included = items.filter(({ ok }) => ok);
  return (
    <div className="mt-1 text-small">
      {included.length > 0 && (
        <details>
          <summary className="cursor-pointer text-quiet">
            {words.prompt.thingsGiven({ amount: included.length })}
          </summary>
          <ul className="mt-0.5 space-y-0.5 text-quiet">
            {included.map(({ text, said: message }) => (
              <li key={text} className="break-words">
                <span className="font-mono">{visible(text)}</span> {visible(message)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {missing.length > 0 && (
        <ul aria-label={words.prompt.notFound} className="space-y-0.5 text-unsure">
          {missing.map(({ text, said: message }) => (
            <li key={text} className="break-words">
              <span className="font-mono">{visible(text)}</span>{" "}
              {words.prompt.notGiven({ why: visible(message) })}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
