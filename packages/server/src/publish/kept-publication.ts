import type { Release } from "@treadle/protocol";
import type { Store } from "@treadle/store";
import { openKeptMap, type KeptMap } from "../common/kept-map.ts";

/** A publication as it is kept. */
export interface KeptPublication {
  project: string;
  name: string;
  /** As browsers send them. */
  domains?: string[] | undefined;
  current?: number | undefined;
  /** The oldest first. */
  releases: KeptRelease[];
}

export interface KeptRelease extends Release {
  /** What starts it, of an app. */
  command?: string | undefined;
}

export const openPublicationList = (store: Store): Promise<KeptMap<KeptPublication>> =>
  openKeptMap(store, "publications", ({ project }) => project);
