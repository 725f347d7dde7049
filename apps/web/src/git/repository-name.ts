/** A name for a repository, as git servers take them, that is near to the project's; empty where nothing of it can stay. */
export function repositoryName(project: string): string {
  return project
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, "-")
    .replace(/^[^a-z0-9_]+|[-.]+$/g, "")
    .slice(0, 60);
}
