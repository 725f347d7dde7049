import type { ProjectPath } from "@treadle/protocol";
import { isUnder } from "@treadle/protocol/project-path";
import { setLock } from "../api/locks.ts";
import { sentence } from "../api/request.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { noticeError } from "../ui/notice.ts";

const NONE: readonly ProjectPath[] = [];

export interface PathLock {
  /** `own`: the path itself is locked; `folder`: a folder that contains it is locked. */
  state: "own" | "folder" | undefined;
  toggle(): void;
}

/** Whether a file or folder is locked against changes by the model, and how to change that. */
export function useLock(path: ProjectPath): PathLock {
  const project = useProjectId();
  const locks = useView((view) => view.locks) ?? NONE;
  const own = locks.includes(path);
  return {
    state: own ? "own" : locks.some((lock) => isUnder(path, lock)) ? "folder" : undefined,
    toggle: () =>
      void setLock(project, path, !own).catch((error: unknown) => noticeError(sentence(error))),
  };
}
