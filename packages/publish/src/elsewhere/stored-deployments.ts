import type { Deployment, Place, TargetId } from "@treadle/protocol";
import type { Store } from "@treadle/store";
import { type StoredMap, openStoredMap } from "@treadle/common";

/** A project's places on other hosts and its deployments there, as the store holds them. */
export interface StoredDeployments {
  project: string;
  places: { [Target in TargetId]?: Place };
  /** The newest first. */
  deployments: Deployment[];
}

export const openElsewhereList = (store: Store): Promise<StoredMap<StoredDeployments>> =>
  openStoredMap(store, "elsewhere", ({ project }) => project);
