import type { Deployment, Place, TargetId } from "@treadle/protocol";
import type { Store } from "@treadle/store";
import { type StoredMap, openStoredMap } from "@treadle/common";

/** The stored places and deployments of a project on other hosts. */
export interface StoredDeployments {
  project: string;
  places: { [Target in TargetId]?: Place };
  /** Newest first. */
  deployments: Deployment[];
}

export const openElsewhereList = (store: Store): Promise<StoredMap<StoredDeployments>> =>
  openStoredMap(store, "elsewhere", ({ project }) => project);
