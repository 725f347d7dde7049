import { create } from "zustand";

/** Whether the project's repository is shown: it is opened from several places. */
export const useGitStore = create<{ open: boolean }>(() => ({ open: false }));

export const openGit = () => useGitStore.setState({ open: true });
export const closeGit = () => useGitStore.setState({ open: false });
