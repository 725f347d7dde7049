import { words } from "../words/words.ts";

/** A part of a picture, as fractions of its width and height from 0 to 1. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Point {
  x: number;
  y: number;
}

/** A smaller fraction of either side counts as a click rather than an area. */
const MIN_FRACTION = 0.01;

const share = (value: number) => Math.min(1, Math.max(0, value));

/** The rectangle between two points, clipped to the picture; undefined if it is too small to be intended. */
export function areaOf(from: Point, to: Point): Area | undefined {
  const [left, right] = [share(Math.min(from.x, to.x)), share(Math.max(from.x, to.x))];
  const [top, bottom] = [share(Math.min(from.y, to.y)), share(Math.max(from.y, to.y))];
  if (right - left < MIN_FRACTION || bottom - top < MIN_FRACTION) return undefined;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/**
 * A part of a displayed picture, or all of it, as a PNG. @throws Error with a sentence if the browser cannot encode it
 */
export async function cropPicture(
  image: HTMLImageElement,
  area: Area | undefined,
  name: string,
): Promise<File> {
  const { x, y, width, height } = area ?? { x: 0, y: 0, width: 1, height: 1 };
  const { naturalWidth, naturalHeight } = image;
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width * naturalWidth));
  canvas.height = Math.max(1, Math.round(height * naturalHeight));
  canvas
    .getContext("2d")
    ?.drawImage(
      image,
      x * naturalWidth,
      y * naturalHeight,
      canvas.width,
      canvas.height,
      0,
      0,
      canvas.width,
      canvas.height,
    );
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error(words.preview.noPicture);
  return new File([blob], `${name.replace(/[^\w.-]+/g, "-").replace(/-+$/, "")}.png`, {
    type: "image/png",
  });
}
