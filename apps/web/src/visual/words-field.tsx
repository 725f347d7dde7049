import { useId, useState } from "react";
import type { Origin } from "./plan-change.ts";
import type { Picked } from "./picked.ts";
import { reasonWords } from "./reason-words.ts";
import type { Visual } from "./use-visual.ts";
import { isComposing } from "../ui/composing.ts";
import { words } from "../words/words.ts";

/**
 * The element's text: shown in the page at each key press, written to the source when the person has finished. Draws
 * nothing for an element without text, or until its source is located.
 */
export function WordsField({
  visual,
  picked,
  origin,
}: {
  visual: Visual;
  picked: Picked;
  origin: Origin | undefined;
}) {
  const id = useId();
  const [edited, setTyped] = useState<{ words: string; path: string }>();
  if (picked.text === "" || !origin) return null;
  const { words: written, path } = origin;
  // The page reports the picked element and may report another while the person types; the typed text belongs to one
  // file only (A86).
  const typed = edited?.path === path ? edited.words : undefined;
  // While the typed text is being written to the source, the two differ, which is no reason to refuse more.
  const refused = typed === undefined && "refused" in written ? written.refused : undefined;
  const leave = () => {
    if (typed !== undefined) visual.tryWords(undefined);
    setTyped(undefined);
  };
  const finish = () => {
    if (typed === undefined || typed.trim() === "" || typed === picked.text) return leave();
    visual.tryWords(typed);
    visual.change({ kind: "words", words: typed });
    setTyped(undefined);
  };
  return (
    <div>
      <label htmlFor={id} className="font-medium">
        {words.visual.text}
      </label>
      <textarea
        id={id}
        rows={Math.min(5, Math.ceil(picked.text.length / 34))}
        value={typed ?? picked.text}
        readOnly={refused !== undefined}
        aria-describedby={refused && `${id}-why`}
        onChange={(event) => {
          setTyped({ words: event.target.value, path });
          visual.tryWords(event.target.value);
        }}
        onBlur={finish}
        onKeyDown={(event) => {
          if (isComposing(event.nativeEvent)) return;
          if (event.key === "Enter") {
            event.preventDefault();
            finish();
          }
          if (event.key === "Escape") leave();
        }}
        className="mt-1 block w-full resize-none rounded border border-edge bg-raised px-2 py-1 text-base read-only:border-line read-only:bg-transparent read-only:text-quiet"
      />
      {refused && (
        <p id={`${id}-why`} className="mt-1 text-quiet">
          {reasonWords(refused)}
        </p>
      )}
    </div>
  );
}
