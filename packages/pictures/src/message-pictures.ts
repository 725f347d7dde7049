import type { PictureInfo } from "@treadle/protocol";
import type { KeptPictures } from "./kept-pictures.ts";

/** Prefix of a picture's reference in a stored message, in place of its bytes. */
const PLACE = "treadle-picture:";

interface Message {
  parts: unknown[];
}

export const picturePart = ({ hash, mediaType }: PictureInfo) => ({
  type: "file" as const,
  mediaType,
  url: `${PLACE}${hash}`,
});

/**
 * Inserts the bytes of pictures into messages for the model, and removes them before messages are saved. A missing
 * picture is replaced by a sentence.
 */
export function messagePictures(pictures: KeptPictures) {
  const places = new Map<string, string>();
  return {
    async shown<M extends Message>(messages: readonly M[]): Promise<M[]> {
      return Promise.all(
        messages.map(async (message) => {
          if (!message.parts.some(isPlace)) return message;
          return { ...message, parts: await Promise.all(message.parts.map(show)) };
        }),
      );
    },
    withStoredPictures<M extends Message>(message: M): M {
      const parts = message.parts.map((part) => {
        const place = places.get(keyOf(part));
        return place === undefined ? part : (JSON.parse(place) as unknown);
      });
      return { ...message, parts };
    },
  };

  async function show(part: unknown): Promise<unknown> {
    if (!isPlace(part)) return part;
    const found = await pictures.read(part.url.slice(PLACE.length));
    const text = "(a picture that is not kept any more)";
    const shown = found
      ? {
          ...part,
          url: `data:${found.type};base64,${Buffer.from(found.bytes).toString("base64")}`,
        }
      : { type: "text", text };
    // The sentence for a missing picture is always the same, so it does not tell which reference to restore.
    if (found) places.set(keyOf(shown), JSON.stringify(part));
    return shown;
  }
}

const keyOf = (part: unknown) => {
  const { type, url } = part as { type?: unknown; url?: unknown };
  return type === "file" && typeof url === "string" ? url : "";
};

function isPlace(part: unknown): part is { type: "file"; url: string } {
  return keyOf(part).startsWith(PLACE);
}
