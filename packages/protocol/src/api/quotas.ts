/** How much there may be on a server of several people. What is absent is not limited. */
export interface Quotas {
  /** Runs at a time on the whole server. */
  runs?: number | undefined;
  /** Runs at a time of one person. */
  runsPerPerson?: number | undefined;
  /** Projects that one person owns, and that one team has a role in. */
  projectsPerPerson?: number | undefined;
  projectsPerTeam?: number | undefined;
  /** Published apps in these projects. */
  publishedPerPerson?: number | undefined;
  publishedPerTeam?: number | undefined;
  /** Of these projects, those whose sandbox is open at a time. Each may use the memory of one project. */
  awakePerPerson?: number | undefined;
  awakePerTeam?: number | undefined;
  /** What these projects take of the disk, in GiB. */
  diskGibPerPerson?: number | undefined;
  diskGibPerTeam?: number | undefined;
}

/** What the projects of one person or team use of the quotas. */
export interface QuotaUsage {
  kind: "person" | "team";
  /** The id of the person or team. */
  id: string;
  name: string;
  projects: number;
  published: number;
  awake: number;
  /** In bytes, as of the last minute. */
  disk: number;
}
