import type { AppError, AppJobRun, AppReach, AppSeen, Release } from "@treadle/protocol";
import type { Store } from "@treadle/store";
import type { OpenOptions } from "@treadle/workspace";
import type { Job } from "../jobs/read-jobs.ts";
import { type KeptMap, openKeptMap } from "@treadle/common";

/** A publication as it is kept. */
export interface KeptPublication {
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
  seen?: KeptSeen | undefined;
  /** How each job ended last, by its name. */
  jobRuns?: Record<string, AppJobRun> | undefined;
  /** The oldest first. */
  releases: KeptRelease[];
}

export type OwnReach = Omit<AppReach, "of">;

/** What was seen of it, as it is kept over a restart. */
export interface KeptSeen extends AppSeen {
  /** The newest first. */
  newest: AppError[];
}

export interface KeptRelease extends Release {
  /** What its publication is called from the moment on in which it is answered with; absent: as before. */
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

export const openPublicationList = (store: Store): Promise<KeptMap<KeptPublication>> =>
  openKeptMap(store, "publications", ({ project }) => project);

/** Changes what is set of a publication. Where that cannot be written down it stands as before, and `keep` says why. */
export async function changeSettings(
  publication: KeptPublication,
  next: Partial<KeptPublication>,
  save: (keptPublication: KeptPublication) => Promise<void>,
): Promise<void> {
  const names = Object.keys(next) as (keyof KeptPublication)[];
  const before = Object.fromEntries(names.map((name) => [name, publication[name]]));
  try {
    await save(Object.assign(publication, next));
  } catch (error) {
    Object.assign(publication, before);
    throw error;
  }
}
