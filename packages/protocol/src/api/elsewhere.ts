/** Releases that are sent to other hosts, as the routes tell of them. */

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

/** What a target is told of a project beside the token. Each target takes some of them. */
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

/** What was said of a place, by field. No token is in it. */
export type Place = { [Field in PlaceField]?: string | undefined } & {
  /** It may be of this machine or its network. */
  local?: boolean | undefined;
};

/** A target, as this project stands to it. */
export interface ElsewhereTarget {
  id: TargetId;
  /** As its makers call it. */
  name: string;
  /** What it can carry: files alone, or an app with a server of its own. */
  carries: ("site" | "app")[];
  fields: { name: PlaceField; required: boolean }[];
  /** `none`: it wants none; `kept`: one is kept on the server. It is told to nobody. */
  token: "none" | "wanted" | "kept";
  place: Place;
}

/** One release on its way to a target, or there. */
export interface Deployment {
  id: string;
  target: TargetId;
  release: number;
  revision: string;
  /** Milliseconds since 1970. */
  at: number;
  state: "sending" | "ready" | "failed" | "stopped";
  /** What goes on, or why it is not there: a sentence. */
  said?: string | undefined;
  /** What would have to be done: `token` to be typed again, `local` to be allowed. */
  problem?: string | undefined;
  /** Where it is; absent where the target tells of none. */
  address?: string | undefined;
  ms?: number | undefined;
}

/** How a project stands to all of them. */
export interface Elsewhere {
  targets: ElsewhereTarget[];
  /** The newest first, a few of each target. */
  deployments: Deployment[];
}
