import type { AppError, AppJobRun, AppReach, AppSeen, Release } from "@treadle/protocol";
import type { Store } from "@treadle/store";
import type { OpenOptions } from "@treadle/workspace";
import type { Job } from "../jobs/read-jobs.ts";
import { type StoredMap, openStoredMap } from "@treadle/common";

/** A publication in the store. */
export interface StoredPublication {
  project: string;
  name: string;
  /** In the form that browsers send. */
  domains?: string[] | undefined;
  /** Its dedicated port. */
  port?: number | undefined;
  current?: number | undefined;
  /** The hosts that it may reach; absent: those of the project. */
  reach?: OwnReach | undefined;
  /** Whether pages do not report errors in visitors' browsers. */
  isQuiet?: boolean | undefined;
  seen?: StoredStatistics | undefined;
  /** The last result of each job by name. */
  jobRuns?: Record<string, AppJobRun> | undefined;
  /** Oldest first. */
  releases: StoredRelease[];
}

export type OwnReach = Omit<AppReach, "of">;

/** Counters and errors of a publication, persisted across restarts. */
export interface StoredStatistics extends AppSeen {
  /** Newest first. */
  newest: AppError[];
}

export interface StoredRelease extends Release {
  /** The publication's name once this release is current; absent: unchanged. */
  name?: string | undefined;
  /** The path of its first page, if that is not `/`. */
  entry?: string | undefined;
  /** The start command of an app. */
  command?: string | undefined;
  /**
   * The path of an app's SQLite database in the preview, if not the usual one; migrations run on
   * it.
   */
  databaseFile?: string | undefined;
  /** The scheduled jobs of an app. */
  jobs?: Job[] | undefined;
  /** The limits of an app in its treadle.json. */
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
