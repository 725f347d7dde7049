/** A picture that is kept; its bytes are in no message and no log. */
export interface Picture {
  /** Hex, of its bytes. */
  hash: string;
  mediaType: string;
}

/** Where pictures that the model looked at are kept. */
export interface PicturePort {
  /** Undefined where it could not be kept. */
  keep(bytes: Uint8Array): Promise<Picture | undefined>;
  read(hash: string): Promise<Uint8Array | undefined>;
}
