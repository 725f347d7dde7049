import { create } from "zustand";

/** Whether the dialog of the project's members is open; several places open it. */
export const useMembersStore = create<{ open: boolean }>(() => ({ open: false }));

export const openMembers = () => useMembersStore.setState({ open: true });
export const closeMembers = () => useMembersStore.setState({ open: false });
