import type { Store } from "@treadle/store";
import type { ForgePlace } from "./forges/types.ts";

/** A project's relation to the repository that it was cloned from, or is pushed to. */
export interface GitState {
  /** The repository's address, without a password. */
  url: string;
  /** Whether the person allowed an address in this machine's network. */
  local: boolean;
  branch: string;
  /**
   * The newest local commit of the branch, and the tree of its checkpoint, which lacks what
   * checkpoints leave out; absent: nothing was committed or pulled yet.
   */
  commit?: string;
  tree?: string;
  /** The last run that was committed, or that belongs to another branch. */
  run?: string;
  /** The author of commits. */
  author?: { name: string; email: string };
  /**
   * For each branch that was created or switched to here: its base branch, and the last run before
   * it.
   */
  begun?: Readonly<Record<string, { base?: string | undefined; run?: string | undefined }>>;
  /** The API of its server; `none` if it has no supported one, undefined if it is not known yet. */
  forge?: ForgePlace | "none" | undefined;
}

const keyOf = (project: string) => `git:${project}`;

export const readGitState = (store: Pick<Store, "settings">, project: string) =>
  store.settings.get<GitState>(keyOf(project));

/** Saves a project's state; undefined deletes it. */
export const keepGitState = (
  store: Pick<Store, "settings">,
  project: string,
  state: GitState | undefined,
) => store.settings.set(keyOf(project), state);
