import { words } from "../words/words.ts";
/** A colour as the browser's own field has it; what is see-through or in another space is shown as near as that goes. */
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

/** Any colour of CSS as `#rrggbb`, by the browser's own reading of it. */
function hexOf(colour: string): string {
  if (/^#[0-9a-f]{6}$/i.test(colour)) return colour.toLowerCase();
  const context = document.createElement("canvas").getContext("2d");
  if (!context || !CSS.supports("color", colour)) return "#000000";
  context.canvas.width = context.canvas.height = 1;
  // What is see-through is seen upon a ground.
  for (const style of ["#fff", colour]) {
    context.fillStyle = style;
    context.fillRect(0, 0, 1, 1);
  }
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return `#${[red, green, blue].map((one) => one.toString(16).padStart(2, "0")).join("")}`;
}
