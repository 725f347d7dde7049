import { create } from "zustand";

/** Whether the repository dialog is open; several places open it. */
export const useGitStore = create<{ open: boolean }>(() => ({ open: false }));

export const openGit = () => useGitStore.setState({ open: true });
export const closeGit = () => useGitStore.setState({ open: false });
