import type { Verdict } from "@treadle/protocol";
import type { ForgeAnswer } from "./ask-forge.ts";

/** The supported APIs. Forgejo implements Gitea's. */
export const FORGES = ["github", "gitlab", "gitea"] as const;
/** One of the supported APIs. */
export type ForgeKind = (typeof FORGES)[number];

/** A server with one of these APIs. */
export interface ForgeServer {
  kind: ForgeKind;
  /** Base address of its pages, without a slash at the end: `https://git.example.com`. */
  web: string;
  /** Base address of its API. */
  api: string;
}

/** A repository on such a server. */
export interface ForgePlace extends ForgeServer {
  /** `owner/name`; with GitLab also `group/subgroup/name`. */
  path: string;
}

/** A pull request to open, or a merge request as GitLab names it. */
export interface PullRequest {
  title: string;
  /** Markdown. */
  body: string;
  /** The branch with the changes. */
  head: string;
  /** The branch that they are proposed for. */
  base: string;
}

/** The verdict of a commit. */
export interface CommitVerdict {
  commit: string;
  verdict: Verdict;
}

/** A request below the base address of an API. */
export interface ForgeCall {
  method: "GET" | "POST" | "PATCH";
  path: string;
  body?: object;
}

/** A screenshot of the app. */
export interface Picture {
  bytes: Uint8Array;
  /** Its media type. */
  type: string;
}

/** A repository to create. */
export interface NewRepository {
  name: string;
  isPrivate: boolean;
  /** The organisation or group that owns it; undefined: the owner of the token. */
  owner?: string | undefined;
}

/** The JSON object in an answer. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * The differences between the three APIs. Each implementation cites the documentation that it
 * follows.
 */
export interface Forge {
  headers(token: string): Record<string, string>;
  /** The user name with which git sends a token. @param owner the owner of the token, if the answer named one */
  user(owner?: string): string;
  create: {
    /** The request that finds the number of an owner; undefined if the name is enough. */
    owner?(owner: string): ForgeCall;
    call(repository: NewRepository, owner: number | undefined): ForgeCall;
    /** Name of the field with the address that git clones from. */
    url: string;
  };
  /** Path of a repository below the API. */
  at(path: string): string;
  pullRequest: {
    open(place: ForgePlace, request: PullRequest): ForgeCall;
    /** Lists the open pull requests, at least those between the two branches. */
    list(place: ForgePlace, request: PullRequest): ForgeCall;
    isBetween(listed: Fields, request: PullRequest): boolean;
    /**
     * Whether a response may mean that there already is one between the two branches: the list of
     * open ones decides.
     */
    isTaken(answer: ForgeAnswer): boolean;
    /** Name of the field with the address of its page. */
    address: string;
  };
  status(place: ForgePlace, verdict: CommitVerdict, description: string): ForgeCall;
  /**
   * How a pull request shows a picture. `upload`: it is uploaded before, and the text refers to the answer's `url`.
   * `attach`: it is attached afterwards, and the text is changed. `branch`: the API takes no files, so the picture is
   * pushed to a separate branch.
   */
  picture:
    | { way: "upload"; call(place: ForgePlace, picture: Picture): ForgeCall }
    | {
        way: "attach";
        call(place: ForgePlace, opened: Fields, picture: Picture): ForgeCall;
        edit(place: ForgePlace, opened: Fields, body: string): ForgeCall;
      }
    | { way: "branch"; address(place: ForgePlace, commit: string, file: string): string };
  /** The permissions requested for a token of the device flow. */
  scope: string;
  /** Paths of the device flow below `web` (RFC 8628); undefined if the server has to name them in its metadata. */
  deviceFlow?: { code: string; token: string };
}

/** The name of the commit statuses that Treadle sets. */
export const STATUS_NAME = "treadle/verdict";
