import type { ProjectPath } from "@treadle/protocol";
import { create } from "zustand";
import { useWork } from "./work-store.ts";

interface ShownChanges {
  /** The checkpoints that are compared; undefined: those of the last turn. */
  span: { from: string; to?: string | undefined } | undefined;
  /** The file that is to be brought into view; it was asked for once. */
  path: ProjectPath | undefined;
  /** The file that is shown over time, in place of all. */
  historyPath: ProjectPath | undefined;
}

const START: ShownChanges = { span: undefined, path: undefined, historyPath: undefined };

/** What Changes shows of the project that is open. */
export const useShownChanges = create<ShownChanges>(() => START);

/** Another project is open. */
export const forgetChanges = (): void => useShownChanges.setState(START);

/** Leads to what differs. @param path the file that is to be seen first */
export function showChanges(span: ShownChanges["span"], path?: ProjectPath): void {
  useShownChanges.setState({ span, path, historyPath: undefined });
  useWork.getState().chooseTab("changes");
}

/** The file that was asked for is in view. */
export const changeShown = (): void => useShownChanges.setState({ path: undefined });

/** Leads to one file over time; undefined: all files again. */
export function showFileHistory(historyPath: ProjectPath | undefined): void {
  useShownChanges.setState({ historyPath });
  useWork.getState().chooseTab("changes");
}
