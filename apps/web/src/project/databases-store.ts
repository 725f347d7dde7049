import { create } from "zustand";

/** Whether the databases dialog is open, and which database it shows first; several places open it. */
export const useDatabasesStore = create<{ open: boolean; path?: string | undefined }>(() => ({
  open: false,
}));

/** Opens the databases dialog. @param path the database of the preview to show first */
export const openDatabases = (path?: string) => useDatabasesStore.setState({ open: true, path });
export const closeDatabases = () => useDatabasesStore.setState({ open: false, path: undefined });
