import type { PicturePort } from "@treadle/agent";
import type { KeptPictures } from "./kept-pictures.ts";

/** What the model looked at, kept beside the pictures of messages: a disk that is full leaves the model its words. */
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
