/** A valid repository name close to the project's name; empty if no character of it is valid. */
export function repositoryName(project: string): string {
  return project
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, "-")
    .replace(/^[^a-z0-9_]+|[-.]+$/g, "")
    .slice(0, 60);
}
