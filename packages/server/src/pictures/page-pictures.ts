import type { PicturePort } from "@treadle/agent";
import type { KeptPictures } from "./kept-pictures.ts";

/** What the model looked at, kept beside the pictures of messages: a disk that is full leaves the model its words. */
export function pagePictures(kept: KeptPictures): PicturePort {
  return {
    async keep(bytes) {
      try {
        const [picture] = await kept.keep([Buffer.from(bytes).toString("base64")]);
        return picture && { hash: picture.hash, mediaType: picture.mediaType };
      } catch {
        return undefined;
      }
    },
    read: async (hash) => (await kept.read(hash))?.bytes,
  };
}
