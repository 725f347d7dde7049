import type { ProjectPath } from "@treadle/protocol";
import { create } from "zustand";
import { useWork } from "./work-store.ts";

interface ShownChanges {
  /** The checkpoints to compare; undefined: those of the last turn. */
  span: { from: string; to?: string | undefined } | undefined;
  /** The file to scroll into view once. */
  path: ProjectPath | undefined;
  /** The file whose history is shown instead of the list. */
  historyPath: ProjectPath | undefined;
}

const START: ShownChanges = { span: undefined, path: undefined, historyPath: undefined };

/** The state of the Changes tab of the open project. */
export const useShownChanges = create<ShownChanges>(() => START);

/** Resets the state for another project. */
export const forgetChanges = (): void => useShownChanges.setState(START);

/** Shows a comparison. @param path the file to scroll to */
export function showChanges(span: ShownChanges["span"], path?: ProjectPath): void {
  useShownChanges.setState({ span, path, historyPath: undefined });
  useWork.getState().chooseTab("changes");
}

/** Call once the requested file has been scrolled into view. */
export const clearRequestedPath = (): void => useShownChanges.setState({ path: undefined });

/** Shows the history of one file; undefined returns to all files. */
export function showFileHistory(historyPath: ProjectPath | undefined): void {
  useShownChanges.setState({ historyPath });
  useWork.getState().chooseTab("changes");
}
