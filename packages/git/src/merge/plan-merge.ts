import type { ProjectPath } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import {
  WorkspaceError,
  type FileDifference,
  type KeptFile,
  type Workspace,
} from "@treadle/workspace";
import { mergeFile } from "./merge-file.ts";

/** A project's workspace and one of its revisions. */
export interface Side {
  workspace: Workspace;
  /** A checkpoint of the workspace. */
  revision: string;
}

/** The changes that turn one revision into another. */
export interface FileChanges {
  written: ProjectPath[];
  removed: ProjectPath[];
}

/** The result of merging the changes of two projects with a common checkpoint. */
export interface MergePlan {
  /** Files with conflicting changes. */
  conflicts: ProjectPath[];
  /** Files that `ours` changed since the base. */
  meanwhile: ProjectPath[];
  /** The merged content of files that both sides changed. */
  merged: ReadonlyMap<ProjectPath, KeptFile>;
  /**
   * Changes from `ours` to the merged revision. Files that are not in `merged` are those of
   * `theirs`.
   */
  toOurs: FileChanges;
  /**
   * Changes from `theirs` to the merged revision. Files that are not in `merged` are those of
   * `ours`.
   */
  toTheirs: FileChanges;
}

/**
 * Merges the changes of a copy with those of its project since a common checkpoint. Writes nothing.
 * @param isOver resolves conflicts with the files of `theirs`
 */
export async function planMerge(
  project: string,
  base: string,
  ours: Side,
  theirs: Side,
  isOver: boolean,
): Promise<MergePlan> {
  const [own, other] = await Promise.all(
    [ours, theirs].map(({ workspace, revision }) => changesSince(workspace, base, revision)),
  );
  const plan = {
    conflicts: [] as ProjectPath[],
    meanwhile: [...own!.keys()],
    merged: new Map<ProjectPath, KeptFile>(),
    toOurs: createChanges(),
    toTheirs: createChanges(),
  };
  for (const [path, kind] of own!) if (!other!.has(path)) add(plan.toTheirs, path, kind);
  for (const [path, kind] of other!) {
    if (!own!.has(path)) {
      add(plan.toOurs, path, kind);
      continue;
    }
    const versions = Promise.all([
      ours.workspace.fileAt(ours.revision, path),
      ours.workspace.fileAt(base, path),
      theirs.workspace.fileAt(theirs.revision, path),
    ]);
    const merged = await versions.then(
      ([own, former, other]) =>
        mergeFile(project, path, { ours: own, base: former, theirs: other }),
      conflictIfLong,
    );
    if (merged === "same") continue;
    if (merged !== "conflict") {
      plan.merged.set(path, merged);
      plan.toOurs.written.push(path);
      plan.toTheirs.written.push(path);
    } else if (isOver) add(plan.toOurs, path, kind);
    else plan.conflicts.push(path);
  }
  return plan;
}

/**
 * Whether one change of `ours`, without other changes since the base, conflicts with `theirs`.
 * @param before the checkpoint before the change; `ours.revision` contains it
 * @param paths the files to compare
 */
export async function conflictsAlone(
  project: string,
  base: string,
  ours: Side & { before: string },
  theirs: Side,
  paths: readonly ProjectPath[],
): Promise<boolean> {
  const { workspace, before, revision } = ours;
  const changed = await changesSince(workspace, before, revision);
  for (const path of paths) {
    if (!changed.has(path)) continue;
    try {
      const [former, own, start, other] = await Promise.all([
        workspace.fileAt(before, path),
        workspace.fileAt(revision, path),
        workspace.fileAt(base, path),
        theirs.workspace.fileAt(theirs.revision, path),
      ]);
      const alone = isSame(former, start)
        ? own
        : await mergeFile(project, path, { ours: own, base: former, theirs: start });
      // A change of lines that were changed earlier cannot be applied without the earlier change.
      const versions =
        alone === "conflict"
          ? { ours: own, base: former, theirs: other }
          : { ours: alone === "same" ? own : alone, base: start, theirs: other };
      if (isSame(versions.ours, versions.base)) continue;
      if ((await mergeFile(project, path, versions)) === "conflict") return true;
    } catch (error) {
      conflictIfLong(error);
      return true;
    }
  }
  return false;
}

const isSame = (one: KeptFile | undefined, other: KeptFile | undefined) =>
  one === undefined || other === undefined
    ? one === other
    : one.link === other.link &&
      one.executable === other.executable &&
      Buffer.from(one.bytes).equals(Buffer.from(other.bytes));

function conflictIfLong(error: unknown): "conflict" {
  if (error instanceof WorkspaceError && error.code === "too-large") return "conflict";
  throw error;
}

const createChanges = (): FileChanges => ({ written: [], removed: [] });

function add({ written, removed }: FileChanges, path: ProjectPath, kind: FileDifference["kind"]) {
  (kind === "removed" ? removed : written).push(path);
}

/** The changes from one checkpoint to another, by path. */
async function changesSince(
  workspace: Workspace,
  from: string,
  to: string,
): Promise<Map<ProjectPath, FileDifference["kind"]>> {
  const files = await workspace.diff(from, to);
  return new Map(files.map(({ path, kind }) => [toProjectPath(path), kind]));
}
