/** How much of the server there is for its people. What is absent is not limited. */
export interface Quotas {
  /** Runs at a time on the whole server. */
  runs?: number | undefined;
  /** Runs at a time of one person. */
  runsPerPerson?: number | undefined;
  /** Projects that one person owns. */
  projectsPerPerson?: number | undefined;
  /** Published apps in the projects that one person owns. */
  publishedPerPerson?: number | undefined;
  /** Projects that one person owns and whose sandbox is open at a time. Each may use the memory of one project. */
  awakePerPerson?: number | undefined;
  /** What all projects that one person owns take of the disk, in GiB. */
  diskGibPerPerson?: number | undefined;
}

/** What one person's projects use of the quotas. */
export interface QuotaUsage {
  person: string;
  name: string;
  projects: number;
  published: number;
  awake: number;
  /** In bytes, as of the last minute. */
  disk: number;
}
