import { create } from "zustand";

/** Whether the project's links are shown: they are opened from several places. */
export const useShareStore = create<{ open: boolean }>(() => ({ open: false }));

export const openShare = () => useShareStore.setState({ open: true });
export const closeShare = () => useShareStore.setState({ open: false });
