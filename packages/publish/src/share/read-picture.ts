import type { PictureInfo } from "@treadle/protocol";

/** The pictures of one project. */
export interface ReadPicture {
  /** Reads a picture; undefined if it does not exist or is no longer a picture. */
  read(hash: string): Promise<{ bytes: Uint8Array; type: PictureInfo["mediaType"] } | undefined>;
}
