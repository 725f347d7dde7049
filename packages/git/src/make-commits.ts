import type { CheckpointTrees } from "@treadle/workspace";
import type { GitState } from "./git-state.ts";
import type { Turn } from "./turns.ts";
import { commitMessage, handMessage, squashedMessage } from "./commit-message.ts";
import type { Repository } from "./repository.ts";

/** The empty tree, which every git knows. */
const EMPTY = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

export interface Commits {
  /** The newest commit; absent if there is nothing to commit and no earlier commit. */
  head: string | undefined;
  /** Number of created commits. */
  made: number;
  /** Tree of the checkpoint of the newest commit. */
  tree: string;
}

/**
 * Creates commits since the last common one: one for each turn that changed something, and one for
 * manual changes after the last. Each applies the difference between two checkpoints to the
 * previous commit, so that files in the repository that checkpoints leave out (build output,
 * `.env`) are unchanged.
 * @param turns that are not committed yet
 * @param now the checkpoint of the current files
 */
export async function makeCommits(
  repository: Repository,
  parts: {
    state: GitState;
    checkpoints: CheckpointTrees;
    turns: readonly Turn[];
    now: string;
    squash: boolean;
    signal?: AbortSignal | undefined;
  },
): Promise<Commits> {
  const { state, checkpoints, squash, now } = parts;
  const { trees } = checkpoints;
  const current = trees.get(now) ?? EMPTY;
  const steps = planCommits(parts.turns, { trees, before: state.tree, now: current, squash });
  // The next commits begin at the current tree.
  await takeObjects(repository, checkpoints, [...steps.map(({ tree }) => tree), current]);
  let head = state.commit;
  let before = state.tree ?? EMPTY;
  let made = 0;
  for (const { tree, turns } of steps) {
    const changed = await namesOf(repository, before, tree);
    const message = squash
      ? squashedMessage(turns, changed)
      : turns.length === 0
        ? handMessage(changed)
        : turns.length === 1
          ? commitMessage(turns[0]!, changed)
          : squashedMessage(turns, changed);
    const at = turns.at(-1)?.at ?? Date.now();
    head = await commitOne(repository, { state, head, before, tree, message, at });
    before = tree;
    made++;
  }
  return { head, made, tree: before };
}

/**
 * A commit to create: the tree of a checkpoint, and the turns that led to it; none for manual
 * changes.
 */
export interface PlannedCommit {
  tree: string;
  turns: readonly Turn[];
}

/**
 * The commits that lead from one tree to another.
 * @param trees the trees of the checkpoints
 * @param now tree of the files as they are; any other text if they differ from every checkpoint
 */
export function planCommits(
  turns: readonly Turn[],
  {
    trees,
    before = EMPTY,
    now,
    squash = false,
  }: {
    trees: ReadonlyMap<string, string>;
    before: string | undefined;
    now: string;
    squash?: boolean;
  },
): PlannedCommit[] {
  const steps: PlannedCommit[] = [];
  let waiting: Turn[] = [];
  let last = before;
  const add = (tree: string) => {
    if (tree !== last) steps.push({ tree, turns: waiting });
    last = tree;
    waiting = [];
  };
  for (const turn of turns) {
    waiting.push(turn);
    const tree = trees.get(turn.checkpoint ?? "");
    // A turn whose checkpoint was thinned out is part of the next commit.
    if (tree !== undefined && !squash) add(tree);
  }
  add(now);
  return steps;
}

async function namesOf(repository: Repository, from: string, to: string): Promise<string[]> {
  const text = (await repository.git(["diff-tree", "-r", "--name-status", from, to])).toString();
  return text.split("\n").filter(Boolean);
}

/**
 * Copies the objects of these trees, so that thinning out checkpoints later removes nothing here.
 */
export async function takeObjects(
  repository: Repository,
  { gitDirectory }: CheckpointTrees,
  trees: readonly string[],
): Promise<void> {
  const newTrees = [...new Set(trees)].filter((tree) => tree !== EMPTY);
  if (newTrees.length === 0) return;
  const pack = await repository.git(["--git-dir", gitDirectory, "pack-objects", "--revs", "--stdout", "-q"], {
    input: `${newTrees.join("\n")}\n`,
    env: { GIT_DIR: gitDirectory },
  }); // prettier-ignore
  await repository.git(["unpack-objects", "-q"], { input: pack });
}

async function commitOne(
  repository: Repository,
  step: {
    state: GitState;
    head: string | undefined;
    before: string;
    tree: string;
    message: string;
    at: number;
  },
): Promise<string> {
  const { head, state } = step;
  const env = { GIT_INDEX_FILE: `${repository.gitDirectory}/treadle-index` };
  await repository.git(["read-tree", head ?? EMPTY], { env });
  const raw = ["diff-tree", "-r", "-z", "--no-renames", step.before, step.tree];
  const changes = (await repository.git(raw)).toString("latin1").split("\0");
  const lines: string[] = [];
  for (let index = 0; index + 1 < changes.length; index += 2) {
    const [, mode = "", , hash = ""] =
      /^:\d+ (\d+) ([0-9a-f]+) ([0-9a-f]+)/.exec(changes[index]!) ?? [];
    lines.push(`${mode} ${hash}\t${changes[index + 1]}\0`);
  }
  await repository.git(["update-index", "-z", "--index-info"], {
    env,
    input: Buffer.from(lines.join(""), "latin1"),
  });
  const tree = await repository.line(["write-tree"], { env });
  const when = `${Math.floor(step.at / 1000)} +0000`;
  const by = state.author;
  return repository.line(["commit-tree", tree, ...(head ? ["-p", head] : []), "-F", "-"], {
    input: step.message,
    env: {
      GIT_AUTHOR_DATE: when,
      GIT_COMMITTER_DATE: when,
      ...(by && { GIT_AUTHOR_NAME: by.name, GIT_AUTHOR_EMAIL: by.email }),
    },
  });
}
