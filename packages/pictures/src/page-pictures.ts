import type { PagePicture } from "@treadle/protocol";
import type { KeptPictures } from "./kept-pictures.ts";

/**
 * Stores screenshots that the model looked at, beside the pictures of messages. `save` resolves with undefined if a
 * picture cannot be stored; the model then still receives the text.
 */
export function pagePictures(pictures: KeptPictures) {
  return {
    async save(
      bytes: Uint8Array,
      undrawn: readonly string[] = [],
    ): Promise<PagePicture | undefined> {
      try {
        const [picture] = await pictures.save([Buffer.from(bytes).toString("base64")]);
        if (!picture) return undefined;
        const { hash, mediaType } = picture;
        return { hash, mediaType, undrawn: undrawn.length > 0 ? [...undrawn] : undefined };
      } catch {
        return undefined;
      }
    },
    read: async (hash: string) => (await pictures.read(hash))?.bytes,
  };
}
