import type { PictureInfo } from "@treadle/protocol";

const STARTS: { type: PictureInfo["mediaType"]; at: number; bytes: string }[] = [
  { type: "image/png", at: 0, bytes: "\x89PNG\r\n\x1a\n" },
  { type: "image/jpeg", at: 0, bytes: "\xff\xd8\xff" },
  { type: "image/gif", at: 0, bytes: "GIF87a" },
  { type: "image/gif", at: 0, bytes: "GIF89a" },
  { type: "image/webp", at: 8, bytes: "WEBP" },
];

/**
 * The type of a picture according to its bytes and not its name; undefined if models cannot read
 * it.
 */
export function pictureType(bytes: Uint8Array): PictureInfo["mediaType"] | undefined {
  const head = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  const found = STARTS.find(({ at, bytes: start }) => head.startsWith(start, at));
  return found?.at === 8 && !head.startsWith("RIFF") ? undefined : found?.type;
}
