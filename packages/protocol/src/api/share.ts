/** Links that show a part of a project to people without an account. */

/** What a link shows: the running app, a release, or the conversation. */
export type ShareKind = "preview" | "release" | "conversation";

/** The options for creating a link. */
export interface NewShare {
  kind: ShareKind;
  /** Number of the release; absent: the live one. */
  release?: number | undefined;
  /** Days until it expires; absent: never. */
  days?: number | undefined;
  /** Password; absent: none. */
  password?: string | undefined;
  /** For a conversation: whether the cost of turns is shown. */
  costs?: boolean | undefined;
  /** For a conversation: whether the source can be downloaded as a ZIP. */
  source?: boolean | undefined;
}

/** An existing link. */
export interface Share extends Omit<NewShare, "days" | "password"> {
  id: string;
  /** The complete address, which opens it. */
  link: string;
  /** Milliseconds since 1970: creation, expiry, last use. */
  at: number;
  until?: number | undefined;
  usedAt?: number | undefined;
  /** How often it was opened. */
  uses: number;
  /** Whether it has a password. */
  locked: boolean;
}

/** The links of a project, and who can open them. */
export interface Shares {
  /** The newest first. */
  shares: Share[];
  /** The domain of the links; absent: they work on this machine only. */
  domain?: string | undefined;
}
