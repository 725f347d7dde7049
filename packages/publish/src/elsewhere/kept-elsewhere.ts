import type { Deployment, Place, TargetId } from "@treadle/protocol";
import type { Store } from "@treadle/store";
import { type KeptMap, openKeptMap } from "@treadle/common";

/** How a project stands to other hosts, as it is kept. */
export interface KeptElsewhere {
  project: string;
  places: { [Target in TargetId]?: Place };
  /** The newest first. */
  deployments: Deployment[];
}

export const openElsewhereList = (store: Store): Promise<KeptMap<KeptElsewhere>> =>
  openKeptMap(store, "elsewhere", ({ project }) => project);
