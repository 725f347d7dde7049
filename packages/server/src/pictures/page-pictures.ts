import type { PicturePort } from "@treadle/agent";
import type { KeptPictures } from "./kept-pictures.ts";

/**
 * Stores screenshots that the model looked at, beside the pictures of messages. If the disk is full, the model still
 * receives the text.
 */
export function pagePictures(pictures: KeptPictures): PicturePort {
  return {
    async save(bytes, undrawn = []) {
      try {
        const [picture] = await pictures.save([Buffer.from(bytes).toString("base64")]);
        if (!picture) return undefined;
        const { hash, mediaType } = picture;
        return { hash, mediaType, undrawn: undrawn.length > 0 ? [...undrawn] : undefined };
      } catch {
        return undefined;
      }
    },
    read: async (hash) => (await pictures.read(hash))?.bytes,
  };
}
