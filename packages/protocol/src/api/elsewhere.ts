/** Releases sent to other hosts, in requests and responses. */
import type { CodedText } from "../sentences/types.ts";

/** Where a release can be sent. */
export type TargetId =
  | "netlify"
  | "vercel"
  | "cloudflare"
  | "github-pages"
  | "coolify"
  | "dokploy"
  | "rsync"
  | "registry";

/** Settings of a project for a target, besides the token. Each target uses some of them. */
export type PlaceField =
  | "site"
  | "project"
  | "team"
  | "account"
  | "script"
  | "repository"
  | "branch"
  | "server"
  | "machine"
  | "environment"
  | "application"
  | "key"
  | "image"
  | "user"
  | "folder"
  | "address";

/** The settings of a target, by field, without its token. */
export type Place = { [Field in PlaceField]?: string | undefined } & {
  /** Whether it may be in this machine's network. */
  local?: boolean | undefined;
};

/** A target with this project's settings. */
export interface ElsewhereTarget {
  id: TargetId;
  /** The product's name. */
  name: string;
  /** What it can host: files only, or an app with a server. */
  carries: ("site" | "app")[];
  fields: { name: PlaceField; required: boolean }[];
  /** `none`: needs no token; `kept`: a token is stored on the server. Its value is never returned. */
  token: "none" | "wanted" | "kept";
  place: Place;
}

/** One upload of a release to a target. */
export interface Deployment {
  id: string;
  target: TargetId;
  release: number;
  revision: string;
  /** Milliseconds since 1970. */
  at: number;
  state: "sending" | "ready" | "failed" | "stopped";
  /** The current progress, or the reason of a failure, as a sentence. */
  said?: string | undefined;
  /**
   * The code of `said`; undefined for the output of a program, and in deployments of earlier
   * versions.
   */
  saidCode?: CodedText | undefined;
  /** Set if something is missing: `token` has to be typed again, `local` has to be allowed. */
  problem?: string | undefined;
  /** Its address; absent if the target reports none. */
  address?: string | undefined;
  ms?: number | undefined;
}

/** All targets with a project's settings. */
export interface Elsewhere {
  targets: ElsewhereTarget[];
  /** The newest first, a few of each target. */
  deployments: Deployment[];
}
