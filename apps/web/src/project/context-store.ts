import { create } from "zustand";

/** Whether the dialog about the model's context is open; several places open it. */
export const useContextStore = create<{ open: boolean }>(() => ({ open: false }));

export const openContext = () => useContextStore.setState({ open: true });
export const closeContext = () => useContextStore.setState({ open: false });
