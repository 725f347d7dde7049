import { create } from "zustand";

/** Whether it is shown what the model's window holds: it is opened from several places. */
export const useContextStore = create<{ open: boolean }>(() => ({ open: false }));

export const openContext = () => useContextStore.setState({ open: true });
export const closeContext = () => useContextStore.setState({ open: false });
