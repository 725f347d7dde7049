import type { ProjectPath } from "@treadle/protocol";
import { create } from "zustand";

/** A place in a project that was found, and is to be shown once that project is open. */
export type Sought =
  | { project: string; message: string }
  | { project: string; path: ProjectPath; line: number };

/** What was found last and is not shown yet. */
export const useSought = create<{ sought: Sought | undefined }>(() => ({ sought: undefined }));

/** Has it shown when its project is open. */
export const seek = (sought: Sought): void => useSought.setState({ sought });

/** It is shown. */
export const found = (): void => useSought.setState({ sought: undefined });
