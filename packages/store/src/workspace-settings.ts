import type { Store } from "./types.ts";

/**
 * The project's settings for its workspace, with the values of secrets. Only the workspace may
 * receive them.
 */
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
