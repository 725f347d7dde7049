import type { PagePicture } from "@treadle/protocol";

/** A reference to a saved picture; messages and logs never contain its bytes. */
export type Picture = PagePicture;

/** The store for pictures that the model looked at. */
export interface PicturePort {
  /**
   * Undefined if it could not be saved.
   * @param undrawn characters shown as boxes in it, saved with the picture
   */
  save(bytes: Uint8Array, undrawn?: readonly string[]): Promise<Picture | undefined>;
  read(hash: string): Promise<Uint8Array | undefined>;
}
