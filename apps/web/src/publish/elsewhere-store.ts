import type { TargetId } from "@treadle/protocol";
import { create } from "zustand";

/** Which target is shown: the one that was looked at last, also when the dialog is opened again. */
export const useElsewhereStore = create<{ target: TargetId }>(() => ({ target: "netlify" }));

export const chooseTarget = (target: TargetId) => useElsewhereStore.setState({ target });
