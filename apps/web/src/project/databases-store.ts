import { create } from "zustand";

/** Whether the app's databases are shown, and which one first: they are opened from several places. */
export const useDatabasesStore = create<{ open: boolean; path?: string | undefined }>(() => ({
  open: false,
}));

/** @param path of the preview's own, to begin with */
export const openDatabases = (path?: string) => useDatabasesStore.setState({ open: true, path });
export const closeDatabases = () => useDatabasesStore.setState({ open: false, path: undefined });
