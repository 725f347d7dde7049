import type { Store } from "@treadle/store";
import type { WorkspaceSettings } from "@treadle/workspace";

/** What a workspace is told of its project's settings, secrets with their values: for the workspace and nobody else. */
export async function workspaceSettings(
  store: Store,
  project: string,
  environment: "preview" | "published" = "preview",
): Promise<WorkspaceSettings> {
  const [record, secrets] = await Promise.all([
    store.projects.get(project),
    store.secrets.reveal(project, environment),
  ]);
  return { hosts: record?.hosts ?? [], staticHosts: record?.staticHosts ?? true, secrets };
}
