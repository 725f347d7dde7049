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
}
