/** Red, green and blue, each from 0 to 255. */
export type Pixel = readonly [number, number, number];

/**
 * The colour that results when CSS colours are painted on white, one above the other. Undefined if the browser cannot
 * parse one of them.
 */
export function paintedColour(...colours: string[]): Pixel | undefined {
  const context = document.createElement("canvas").getContext("2d");
  if (!context || !colours.every((colour) => CSS.supports("color", colour))) return undefined;
  context.canvas.width = context.canvas.height = 1;
  for (const style of ["#fff", ...colours]) {
    context.fillStyle = style;
    context.fillRect(0, 0, 1, 1);
  }
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}

/** Formats a colour as `#rrggbb`. */
export const hexOf = (pixel: Pixel): string =>
  `#${pixel.map((one) => one.toString(16).padStart(2, "0")).join("")}`;

const luminance = (pixel: Pixel): number => {
  const [red = 0, green = 0, blue = 0] = pixel.map((one) => {
    const share = one / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** The contrast of two colours as WCAG 2 defines it, from 1 to 21. */
export function contrastOf(one: Pixel, other: Pixel): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light! + 0.05) / (dark! + 0.05);
}
