import { create } from "zustand";

/** What the dialog can show, once there is a release. */
export const PUBLISH_TABS = ["releases", "elsewhere", "running", "settings"] as const;
export type PublishTab = (typeof PUBLISH_TABS)[number];

/** Whether it is shown how the project is published, and what of it: it is opened from several places. */
export const usePublishStore = create<{ open: boolean; tab: PublishTab }>(() => ({
  open: false,
  tab: "releases",
}));

export const openPublish = () => usePublishStore.setState({ open: true, tab: "releases" });
export const choosePublishTab = (tab: PublishTab) => usePublishStore.setState({ tab });
export const closePublish = () => usePublishStore.setState({ open: false });
