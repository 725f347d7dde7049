import { create } from "zustand";
import type { NewAnchor } from "../api/comments.ts";

/** Whether the comments are shown, what a new one is about, and the thread to scroll to. */
interface ShownComments {
  open: boolean;
  about: NewAnchor | undefined;
  thread: string | undefined;
}

const CLOSED: ShownComments = { open: false, about: undefined, thread: undefined };

export const useShownComments = create<ShownComments>(() => CLOSED);

/** @param thread the one to scroll to */
export const openComments = (thread?: string): void =>
  useShownComments.setState({ open: true, about: undefined, thread });

/** Opens a new comment on something. */
export const commentOn = (about: NewAnchor): void =>
  useShownComments.setState({ open: true, about, thread: undefined });

export const closeComments = (): void => useShownComments.setState(CLOSED);
