import type { TokenEdit, TokenGroup } from "@treadle/protocol";
import { create } from "zustand";
import { useWork } from "./work-store.ts";

/** An unsaved value of a token; `group` is set for a new token. */
export type DraftEdit = TokenEdit & { group?: TokenGroup };

interface DesignState {
  isOpen: boolean;
  /** Values that are shown in the preview and not yet written, by project. */
  drafts: Readonly<Record<string, readonly DraftEdit[]>>;
}

const NONE: readonly DraftEdit[] = [];

/** Whether the design panel is open, and unsaved values of each project's tokens. They outlive the panel. */
export const useDesignStore = create<DesignState>(() => ({ isOpen: false, drafts: {} }));

/** Opens the design panel beside the preview. */
export function openDesign(): void {
  useWork.getState().chooseTab("preview");
  useDesignStore.setState({ isOpen: true });
}

export const closeDesign = () => useDesignStore.setState({ isOpen: false });

export const useDraft = (project: string): readonly DraftEdit[] =>
  useDesignStore((state) => state.drafts[project] ?? NONE);

/** Sets unsaved values; each replaces an earlier one of the same token in the same mode. */
export const addToDraft = (project: string, edits: readonly DraftEdit[]) =>
  useDesignStore.setState(({ drafts }) => {
    const others = (drafts[project] ?? []).filter(
      (one) => !edits.some(({ name, mode }) => name === one.name && mode === one.mode),
    );
    return { drafts: { ...drafts, [project]: [...others, ...edits] } };
  });

/** Drops all unsaved values of a project, or those that were written. */
export const dropDraft = (project: string, written?: readonly DraftEdit[]) =>
  useDesignStore.setState(({ drafts }) => ({
    drafts: {
      ...drafts,
      [project]: (drafts[project] ?? []).filter((one) => written && !written.includes(one)),
    },
  }));
