import type { Store } from "@treadle/store";

/** How a project stands to the repository that it came from, or is pushed to. */
export interface GitState {
  /** Without a password. */
  url: string;
  /** Whether the person said that it may be of this machine's network. */
  local: boolean;
  branch: string;
  /**
   * The commit that both know, and the tree of the checkpoint that was kept of it, which lacks what checkpoints leave out;
   * absent: nothing was pushed or pulled yet.
   */
  commit?: string;
  tree?: string;
  /** The run that was pushed last. */
  run?: string;
  /** Whom commits are by. */
  author?: { name: string; email: string };
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
