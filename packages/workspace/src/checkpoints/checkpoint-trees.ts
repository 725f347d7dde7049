import { join } from "node:path";
import { openKeptList } from "./kept-list.ts";

/** Where git stores the files of a project's checkpoints, and the tree of each. */
export interface CheckpointTrees {
  /** A git directory of Treadle's own, to be read only. */
  gitDirectory: string;
  /** Trees by checkpoint id. */
  trees: ReadonlyMap<string, string>;
}

/**
 * Reads where a project's checkpoints are stored, and the tree of each.
 * @param stateDirectory of the project, absolute; neither the list nor the git directory exists before the first
 * checkpoint
 * @throws WorkspaceError `failed` if the list cannot be read
 */
export function checkpointTrees(stateDirectory: string): CheckpointTrees {
  const checkpoints = openKeptList(stateDirectory).all();
  return {
    gitDirectory: join(stateDirectory, "checkpoints.git"),
    trees: new Map(checkpoints.map(({ checkpoint, tree }) => [checkpoint, tree])),
  };
}
