import { create } from "zustand";

/** Whether the dialog of shared links is open; several places open it. */
export const useShareStore = create<{ open: boolean }>(() => ({ open: false }));

export const openShare = () => useShareStore.setState({ open: true });
export const closeShare = () => useShareStore.setState({ open: false });
