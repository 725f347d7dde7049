import { join } from "node:path";
import { openKeptList } from "./kept-list.ts";

/** Where git has the files of a project's checkpoints, and which tree each is. */
export interface CheckpointTrees {
  /** A git directory of Treadle's own; who reads it changes nothing in it. */
  gitDirectory: string;
  /** By the checkpoint's id. */
  trees: ReadonlyMap<string, string>;
}

/**
 * @param stateDirectory of the project, absolute. Nothing is there before the first checkpoint.
 * @throws WorkspaceError `failed` where the list cannot be read
 */
export function checkpointTrees(stateDirectory: string): CheckpointTrees {
  const checkpoints = openKeptList(stateDirectory).all();
  return {
    gitDirectory: join(stateDirectory, "checkpoints.git"),
    trees: new Map(checkpoints.map(({ checkpoint, tree }) => [checkpoint, tree])),
  };
}
