import { create } from "zustand";
import type { NewAnchor } from "../api/comments.ts";

/** Whether the comments are shown, the place of a new one, and the thread to scroll to. */
interface ShownComments {
  open: boolean;
  about: NewAnchor | undefined;
  thread: string | undefined;
}

const CLOSED: ShownComments = { open: false, about: undefined, thread: undefined };

export const useShownComments = create<ShownComments>(() => CLOSED);

/** Opens the list of comments. @param thread the thread to scroll to */
export const openComments = (thread?: string): void =>
  useShownComments.setState({ open: true, about: undefined, thread });

/** Opens the form for a new comment on a line, element or checkpoint. */
export const commentOn = (about: NewAnchor): void =>
  useShownComments.setState({ open: true, about, thread: undefined });

export const closeComments = (): void => useShownComments.setState(CLOSED);
