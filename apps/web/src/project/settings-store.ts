import { create } from "zustand";

/** Whether the project's settings are open: they are opened from several places. */
export const useSettingsStore = create<{ open: boolean }>(() => ({ open: false }));

export const openProjectSettings = () => useSettingsStore.setState({ open: true });
export const closeProjectSettings = () => useSettingsStore.setState({ open: false });
