/** The results of a message's `@` mentions and pictures, logged after the `run-start` of its run. */
export interface MentionedEvent {
  type: "mentioned";
  run: string;
  message: string;
  items: MentionedItem[];
}

/** One mention and its result. */
export interface MentionedItem {
  /** The mention as written in the message, with its `@`. */
  text: string;
  kind: "path" | "url" | "resource" | "problems" | "terminal" | "preview" | "diff" | "checkpoint";
  /** The path of the mentioned file or folder. */
  path?: string;
  /** Whether the model received it. */
  ok: boolean;
  /** What the model received for the mention, or why nothing, in plain words. */
  said: string;
}

/** A picture that a person sent with a message. Its bytes are stored under the hash, beside the project. */
export interface PictureInfo {
  /** SHA-256 of the bytes, lower-case hex. */
  hash: string;
  mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  /** Bytes. */
  size: number;
}
