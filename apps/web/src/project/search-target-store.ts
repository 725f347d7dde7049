import type { ProjectPath } from "@treadle/protocol";
import { create } from "zustand";

/** A place in a project, found by a search, to show once that project is open. */
export type SearchTarget =
  | { project: string; message: string }
  | { project: string; path: ProjectPath; line: number };

/** The search result that is not shown yet. */
export const useSearchTarget = create<{ target: SearchTarget | undefined }>(() => ({
  target: undefined,
}));

/** Requests showing a place when its project is open. */
export const requestSearchTarget = (target: SearchTarget): void =>
  useSearchTarget.setState({ target });

/** Clears the request once the place is shown. */
export const clearSearchTarget = (): void => useSearchTarget.setState({ target: undefined });
