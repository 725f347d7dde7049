/** Requests that a second person has to approve, in requests and responses. Times are milliseconds since 1970. */
import type { ReviewKind, ReviewState } from "../accounts/index.ts";
import type { Author } from "../log/types.ts";
import type { Verdict } from "../evidence/types.ts";
import type { CodedText } from "../sentences/types.ts";

/**
 * A step by which somebody trusts a tool server: `accept` one that the project's files declare, with the digest of its
 * declaration; `enable` one that was added; `allow` its tools, or one of them, without being asked; answer `question`s
 * of a waiting run with yes, with the digest of what was shown.
 */
export type ToolTrust =
  | { step: "accept"; server: string; digest: string }
  | { step: "enable"; server: string }
  | { step: "allow"; server: string; tool?: string | undefined }
  | { step: "question"; question: string; digest: string; always?: boolean | undefined };

/** A package that a request is about, as the registry described it. */
export interface ReviewedPackage {
  name: string;
  /** The version that would be installed then; absent if the registry did not say. */
  version?: string | undefined;
  /** As its version declares it. */
  license?: string | undefined;
  /** Names of all packages that it brings. They are approved with it. */
  brings: string[];
  /** Whether `brings` is not all, since there are too many, or the registry did not answer for one. */
  isCut?: true | undefined;
  /** Known advisories about it and what it brings; absent if the registry gave none or did not answer. */
  advisories?: { name: string; title: string; severity: string }[] | undefined;
  /** The run that wanted to install it. */
  run?: string | undefined;
}

/** What a request is about, as it was when it was made. What is approved is exactly this. */
export interface ReviewSubject {
  /** A host, a package, or the name of a tool server or tool; nothing for `publish`. */
  what: string[];
  /** For `publish`: the release that was made for it and is held. */
  release?: number | undefined;
  /** For `publish`: the hash of the files, and the checkpoint that has them. */
  revision?: string | undefined;
  checkpoint?: string | undefined;
  /** For `publish`: the checkpoint of what was published then. */
  before?: string | undefined;
  verdict?: Verdict | undefined;
  checks?: { name: string; ok: boolean }[] | undefined;
  /** For `tool-server`: what is trusted. */
  trust?: ToolTrust | undefined;
  package?: ReviewedPackage | undefined;
}

/** A request as somebody makes it. `words`: what they say about it. */
export type NewReview = { words?: string | undefined } & (
  | { kind: "publish"; name?: string | undefined }
  | { kind: "host"; host: string }
  | { kind: "tool-server"; trust: ToolTrust }
  | { kind: "package"; name: string }
);

/** The answer to a request. */
export interface ReviewAnswer {
  by: Author;
  at: number;
  words?: string | undefined;
  /** Whether it was given by a standing approval of that person. */
  standing?: true | undefined;
}

/** A request that a second person has to approve, as whoever reads it sees it. */
export interface Review {
  id: string;
  project: string;
  projectName: string;
  kind: ReviewKind;
  state: ReviewState;
  by: Author;
  at: number;
  /** What the person who asks says about it. */
  words?: string | undefined;
  subject: ReviewSubject;
  answer?: ReviewAnswer | undefined;
  /** Why it failed. */
  failure?: { message: string; messageCode?: CodedText | undefined } | undefined;
  /** Whether whoever reads this may approve or refuse it. */
  mayAnswer: boolean;
  /** Whether whoever reads this has made it. */
  isOwn: boolean;
}

/** An approval of all later requests of a kind in a project. */
export interface StandingApproval {
  kind: ReviewKind;
  by: Author;
  at: number;
}

/** What a project's requests are, and what needs one of whoever reads this. */
export interface ProjectReviews {
  /** Kinds that need a second person. */
  needed: ReviewKind[];
  standing: StandingApproval[];
  /** Newest first, the last 50. */
  reviews: Review[];
}

/** What needs a second person in the projects of a team. */
export interface ReviewRule {
  team: string;
  kinds: ReviewKind[];
}
