import type { ProjectPath } from "@treadle/protocol";
import { create } from "zustand";

/** A place in a project, found by a search, to show once that project is open. */
export type SearchTarget =
  | { project: string; message: string }
  | { project: string; path: ProjectPath; line: number };

/** The search result that is not shown yet. */
export const useSearchTarget = create<{ sought: SearchTarget | undefined }>(() => ({
  sought: undefined,
}));

/** Requests showing a place when its project is open. */
export const seek = (sought: SearchTarget): void => useSearchTarget.setState({ sought });

/** Clears the request once the place is shown. */
export const found = (): void => useSearchTarget.setState({ sought: undefined });
