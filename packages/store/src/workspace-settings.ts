import type { Store } from "./types.ts";

/** What a workspace is told of its project's settings, secrets with their values: for the workspace and nobody else. */
export async function workspaceSettings(
  store: Pick<Store, "projects" | "secrets">,
  project: string,
  environment: "preview" | "published" = "preview",
): Promise<{
  hosts: string[];
  staticHosts: boolean;
  secrets: { name: string; host: string; value: string }[];
}> {
  const [record, secrets] = await Promise.all([
    store.projects.get(project),
    store.secrets.reveal(project, environment),
  ]);
  return { hosts: record?.hosts ?? [], staticHosts: record?.staticHosts ?? true, secrets };
}
