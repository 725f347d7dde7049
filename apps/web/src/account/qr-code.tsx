import { generate } from "lean-qr";

/** Width of the light margin that readers need, in modules of the code. */
const EDGE = 4;

/** A QR code, dark on light in both themes, because many apps cannot read inverted codes. */
export function QrCode({ text, name }: { text: string; name: string }) {
  const code = generate(text);
  const size = code.size + 2 * EDGE;
  const rows = Array.from({ length: code.size }, (_, y) => y);
  const path = rows
    .flatMap((y) =>
      rows.filter((x) => code.get(x, y)).map((x) => `M${x + EDGE} ${y + EDGE}h1v1h-1z`),
    ) // prettier-ignore
    .join("");
  return (
    <svg
      role="img"
      aria-label={name}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-45 shrink-0 rounded border border-line bg-white forced-color-adjust-none"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
