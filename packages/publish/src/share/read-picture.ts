import type { PictureInfo } from "@treadle/protocol";

/** The pictures of one project. */
export interface ReadPicture {
  /** Undefined where it is not there, or is no picture any more. */
  read(hash: string): Promise<{ bytes: Uint8Array; type: PictureInfo["mediaType"] } | undefined>;
}
