import { create } from "zustand";

/** Whether it is shown how the project is published: it is opened from several places. */
export const usePublishStore = create<{ open: boolean }>(() => ({ open: false }));

export const openPublish = () => usePublishStore.setState({ open: true });
export const closePublish = () => usePublishStore.setState({ open: false });
