/** Links by which somebody without an account sees something of a project. */

/** What a link shows: the running app, a release, or the conversation. */
export type ShareKind = "preview" | "release" | "conversation";

/** The options for creating a link. */
export interface NewShare {
  kind: ShareKind;
  /** Of a release: its number; absent: whichever is answered with. */
  release?: number | undefined;
  /** Days until it opens nothing any more; absent: never. */
  days?: number | undefined;
  /** What has to be typed before anything is shown; absent: nothing. */
  password?: string | undefined;
  /** Of a conversation: whether it tells what the turns cost. */
  costs?: boolean | undefined;
  /** Of a conversation: whether the source can be taken along as a ZIP. */
  source?: boolean | undefined;
}

/** A link that was made and not taken back. */
export interface Share extends Omit<NewShare, "days" | "password"> {
  id: string;
  /** The whole address, which opens it. */
  link: string;
  /** Milliseconds since 1970: when it was made, when it ends, when it was opened last. */
  at: number;
  until?: number | undefined;
  usedAt?: number | undefined;
  /** How often it was opened. */
  uses: number;
  /** Whether it asks for a password. */
  locked: boolean;
}

/** The links of a project, and who can open them. */
export interface Shares {
  /** The newest first. */
  shares: Share[];
  /** The domain that the links lead through; absent: they open on this machine alone. */
  domain?: string | undefined;
}
