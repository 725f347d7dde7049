import type { TargetId } from "@treadle/protocol";
import { create } from "zustand";

/** Which target of a project is shown: the one that was chosen last, also when the dialog is opened again. */
export const useElsewhereStore = create<{ targets: Readonly<Record<string, TargetId>> }>(() => ({
  targets: {},
}));

export const chooseTarget = (project: string, target: TargetId) =>
  useElsewhereStore.setState(({ targets }) => ({ targets: { ...targets, [project]: target } }));
