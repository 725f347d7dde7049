import type { PictureInfo } from "@treadle/protocol";

/** The pictures of one project. */
export interface ReadPicture {
  /** Undefined if it does not exist or is no longer a picture. */
  read(hash: string): Promise<{ bytes: Uint8Array; type: PictureInfo["mediaType"] } | undefined>;
}
