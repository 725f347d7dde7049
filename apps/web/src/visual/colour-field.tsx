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
      value={hexOf(value)}
      onChange={(event) => onColour(event.target.value)}
      className="size-7 shrink-0 cursor-pointer rounded border border-edge bg-raised p-0.5"
    />
  );
}

/** Converts any CSS colour to `#rrggbb`, using the browser's parser. */
function hexOf(colour: string): string {
  if (/^#[0-9a-f]{6}$/i.test(colour)) return colour.toLowerCase();
  const context = document.createElement("canvas").getContext("2d");
  if (!context || !CSS.supports("color", colour)) return "#000000";
  context.canvas.width = context.canvas.height = 1;
  // A transparent colour is drawn on white.
  for (const style of ["#fff", colour]) {
    context.fillStyle = style;
    context.fillRect(0, 0, 1, 1);
  }
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return `#${[red, green, blue].map((one) => one.toString(16).padStart(2, "0")).join("")}`;
}
