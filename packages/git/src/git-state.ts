import type { Store } from "@treadle/store";
import type { ForgePlace } from "./forges/types.ts";

/** How a project stands to the repository that it came from, or is pushed to. */
export interface GitState {
  /** Without a password. */
  url: string;
  /** Whether the person said that it may be of this machine's network. */
  local: boolean;
  branch: string;
  /**
   * The newest commit of the branch here, and the tree of the checkpoint that was kept of it, which lacks what checkpoints
   * leave out; absent: nothing was committed or pulled yet.
   */
  commit?: string;
  tree?: string;
  /** The last run that was committed, or that belongs to another branch. */
  run?: string;
  /** Whom commits are by. */
  author?: { name: string; email: string };
  /** For each branch that was made or switched to here: the branch it began at, and the last run before it. */
  begun?: Readonly<Record<string, { base?: string | undefined; run?: string | undefined }>>;
  /** The API of its server; `none` if it has none that Treadle speaks, undefined if it was not asked yet. */
  forge?: ForgePlace | "none" | undefined;
}

const keyOf = (project: string) => `git:${project}`;

export const readGitState = (store: Pick<Store, "settings">, project: string) =>
  store.settings.get<GitState>(keyOf(project));

/** Undefined: it is forgotten. */
export const keepGitState = (
  store: Pick<Store, "settings">,
  project: string,
  state: GitState | undefined,
) => store.settings.set(keyOf(project), state);
