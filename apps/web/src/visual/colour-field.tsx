import { hexOf, paintedColour } from "../ui/drawn-colour.ts";
import { words } from "../words/words.ts";
/** A colour in the browser's own field. Transparent colours and those in other colour spaces are approximated. */
export function ColourField({
  name,
  value,
  onColour,
}: {
  name: string;
  value: string;
  onColour: (colour: string) => void;
}) {
  return (
    <input
      type="color"
      aria-label={words.visual.byEye({ name })}
      value={hexIn(value)}
      onChange={(event) => onColour(event.target.value)}
      className="size-7 shrink-0 cursor-pointer rounded border border-edge bg-raised p-0.5"
    />
  );
}

/** Converts any CSS colour to `#rrggbb`; black if the browser cannot parse it. */
function hexIn(colour: string): string {
  if (/^#[0-9a-f]{6}$/i.test(colour)) return colour.toLowerCase();
  return hexOf(paintedColour(colour) ?? [0, 0, 0]);
}
