/** Width and height in pixels. */
export interface PictureSize {
  width: number;
  height: number;
}

/** The size of the looking browser's page pictures. */
const PAGE: PictureSize = { width: 1280, height: 800 };
/**
 * Bytes of a picture that are searched for its size; a JPEG whose size comes later counts as a
 * page.
 */
const HEAD_BYTES = 64 * 1024;

/**
 * The tokens of a picture, as its model's provider counts them; an unknown size counts as a page.
 * @param model `provider:model`
 */
export function pictureTokens(size: PictureSize | undefined, model: string): number {
  const known = size ?? PAGE;
  if (/claude|^anthropic:/i.test(model)) return anthropicTokens(known);
  if (/gemini|gemma|^google:/i.test(model)) return googleTokens(known);
  return openaiTokens(known);
}

/** Counts one token per 750 pixels, after the longer side is scaled down to 1,568. */
function anthropicTokens(size: PictureSize): number {
  const { width, height } = within(size, 1_568);
  return Math.ceil((width * height) / 750);
}

/** Counts 85 tokens, plus 170 for each 512-pixel tile, after scaling into 2,048 and the shorter side to 768. */
function openaiTokens(size: PictureSize): number {
  const first = within(size, 2_048);
  const short = Math.min(first.width, first.height);
  const scale = Math.min(1, 768 / short);
  return 85 + 170 * tiles({ width: first.width * scale, height: first.height * scale }, 512);
}

/** Counts 258 tokens for a small picture, and for each 768-pixel tile of a larger one. */
function googleTokens(size: PictureSize): number {
  if (size.width <= 384 && size.height <= 384) return 258;
  return 258 * tiles(size, 768);
}

const tiles = ({ width, height }: PictureSize, side: number) =>
  Math.max(1, Math.ceil(width / side)) * Math.max(1, Math.ceil(height / side));

function within({ width, height }: PictureSize, longest: number): PictureSize {
  const scale = Math.min(1, longest / Math.max(width, height, 1));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** The size of a picture in a data URL; undefined if it cannot be read. */
export function sizeInAddress(address: string): PictureSize | undefined {
  const comma = address.indexOf(",");
  if (!address.startsWith("data:image/") || comma < 0) return undefined;
  const text = address.slice(comma + 1, comma + 1 + Math.ceil(HEAD_BYTES / 3) * 4);
  return pictureSize(Buffer.from(text, "base64"));
}

/** Reads the size from the head of a PNG, GIF, WebP or JPEG. Never throws. */
export function pictureSize(bytes: Uint8Array): PictureSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = (from: number, to: number) =>
    Buffer.from(bytes.subarray(from, to)).toString("latin1");
  try {
    if (text(1, 4) === "PNG") return sane(view.getUint32(16), view.getUint32(20));
    if (text(0, 3) === "GIF") return sane(view.getUint16(6, true), view.getUint16(8, true));
    if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return webpSize(view, text(12, 16));
    return view.getUint16(0) === 0xffd8 ? jpegSize(view) : undefined;
  } catch {
    // The file is shorter than its format requires.
    return undefined;
  }
}

function webpSize(view: DataView, kind: string): PictureSize | undefined {
  if (kind === "VP8X")
    return sane(
      1 + (view.getUint32(24, true) & 0xffffff),
      1 + (view.getUint32(27, true) & 0xffffff),
    );
  if (kind === "VP8L") {
    const bits = view.getUint32(21, true);
    return sane(1 + (bits & 0x3fff), 1 + ((bits >> 14) & 0x3fff));
  }
  return sane(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
}

function jpegSize(view: DataView): PictureSize | undefined {
  for (let at = 2; at + 9 <= view.byteLength;) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return sane(view.getUint16(at + 7), view.getUint16(at + 5));
    at += 2 + Math.max(2, view.getUint16(at + 2));
  }
  return undefined;
}

const sane = (width: number, height: number): PictureSize | undefined =>
  width > 0 && height > 0 && width < 100_000 && height < 100_000 ? { width, height } : undefined;
