/** What a message's `@` mentions and pictures came to; after the `run-start` of its run. */
export interface MentionedEvent {
  type: "mentioned";
  run: string;
  message: string;
  items: MentionedItem[];
}

/** One mention, and what it came to. */
export interface MentionedItem {
  /** As it stands in the message, with its `@`. */
  text: string;
  kind: "path" | "url" | "resource" | "problems" | "terminal" | "preview" | "diff" | "checkpoint";
  /** Of a file or folder. */
  path?: string;
  /** Whether the model was given it. */
  ok: boolean;
  /** What it was given, or why not, in plain words. */
  said: string;
}

/** A picture that a person sent with a message: its bytes are kept under the hash, beside the project. */
export interface PictureInfo {
  /** SHA-256 of the bytes, lower-case hex. */
  hash: string;
  mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  /** Bytes. */
  size: number;
}
