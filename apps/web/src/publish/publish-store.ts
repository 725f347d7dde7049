import { create } from "zustand";

/** The dialog's tabs, shown once there is a release. */
export const PUBLISH_TABS = ["releases", "elsewhere", "running", "settings"] as const;
export type PublishTab = (typeof PUBLISH_TABS)[number];

/** Whether the publication dialog is open, and its tab; several places open it. */
export const usePublishStore = create<{ open: boolean; tab: PublishTab }>(() => ({
  open: false,
  tab: "releases",
}));

export const openPublish = () => usePublishStore.setState({ open: true, tab: "releases" });
export const choosePublishTab = (tab: PublishTab) => usePublishStore.setState({ tab });
export const closePublish = () => usePublishStore.setState({ open: false });
