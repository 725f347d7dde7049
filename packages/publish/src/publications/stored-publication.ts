import type { AppError, AppJobRun, AppReach, AppSeen, Release } from "@treadle/protocol";
import type { Store } from "@treadle/store";
import type { OpenOptions } from "@treadle/workspace";
import type { Job } from "../jobs/read-jobs.ts";
import { type StoredMap, openStoredMap } from "@treadle/common";

/** A publication as the store holds it. */
export interface StoredPublication {
  project: string;
  name: string;
  /** As browsers send them. */
  domains?: string[] | undefined;
  /** A port of its own. */
  port?: number | undefined;
  current?: number | undefined;
  /** What it may reach; absent: what the project may. */
  reach?: OwnReach | undefined;
  /** Pages do not tell what goes wrong in visitors' browsers. */
  isQuiet?: boolean | undefined;
  seen?: StoredStatistics | undefined;
  /** How each job ended last, by its name. */
  jobRuns?: Record<string, AppJobRun> | undefined;
  /** The oldest first. */
  releases: StoredRelease[];
}

export type OwnReach = Omit<AppReach, "of">;

/** Counters and errors of a publication, which survive a restart. */
export interface StoredStatistics extends AppSeen {
  /** The newest first. */
  newest: AppError[];
}

export interface StoredRelease extends Release {
  /** The publication's name once this release is current; absent: unchanged. */
  name?: string | undefined;
  /** Path of its first page, of an app that has none at `/`. */
  entry?: string | undefined;
  /** What starts it, of an app. */
  command?: string | undefined;
  /** Where the preview kept the SQLite database that migrations run on, of an app that has it elsewhere than usual. */
  databaseFile?: string | undefined;
  /** What is run at times, of an app. */
  jobs?: Job[] | undefined;
  /** Limits that its treadle.json sets, of an app. */
  limits?: OpenOptions["limits"];
}

export const openPublicationList = (store: Store): Promise<StoredMap<StoredPublication>> =>
  openStoredMap(store, "publications", ({ project }) => project);

/** Changes settings of a publication. Restores the former ones and rejects if `save` does. */
export async function changeSettings(
  publication: StoredPublication,
  next: Partial<StoredPublication>,
  save: (publication: StoredPublication) => Promise<void>,
): Promise<void> {
  const names = Object.keys(next) as (keyof StoredPublication)[];
  const before = Object.fromEntries(names.map((name) => [name, publication[name]]));
  try {
    await save(Object.assign(publication, next));
  } catch (error) {
    Object.assign(publication, before);
    throw error;
  }
}
