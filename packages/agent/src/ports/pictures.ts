import type { PagePicture } from "@treadle/protocol";

/** A picture that is kept; its bytes are in no message and no log. */
export type Picture = PagePicture;

/** Where pictures that the model looked at are kept. */
export interface PicturePort {
  /**
   * Undefined where it could not be kept.
   * @param undrawn characters that are boxes in it, which goes with the picture
   */
  save(bytes: Uint8Array, undrawn?: readonly string[]): Promise<Picture | undefined>;
  read(hash: string): Promise<Uint8Array | undefined>;
}
