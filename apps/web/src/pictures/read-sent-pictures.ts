import type { PictureInfo } from "@treadle/protocol";
import { pictureAddress } from "../api/projects.ts";
import { words } from "../words/words.ts";

/**
 * Reads a message's pictures as base64, for sending the message again; undefined if it has none.
 * @throws Error if one no longer exists
 */
export async function readSentPictures(
  project: string,
  pictures: readonly PictureInfo[],
): Promise<string[] | undefined> {
  if (pictures.length === 0) return undefined;
  return Promise.all(
    pictures.map(async ({ hash }) => {
      const response = await fetch(pictureAddress(project, hash));
      if (!response.ok) throw new Error(words.chat.pictureGone);
      const bytes = new Uint8Array(await response.arrayBuffer());
      let text = "";
      for (let at = 0; at < bytes.length; at += 32_768)
        text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
      return btoa(text);
    }),
  );
}
