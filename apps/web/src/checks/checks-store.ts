import { create } from "zustand";

/** Whether the list of checks is open; several places open it. */
export const useChecksStore = create<{ isOpen: boolean }>(() => ({ isOpen: false }));

export const openChecks = () => useChecksStore.setState({ isOpen: true });
export const closeChecks = () => useChecksStore.setState({ isOpen: false });
