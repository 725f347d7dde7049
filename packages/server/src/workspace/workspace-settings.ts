import type { Store } from "@treadle/store";
import type { WorkspaceSettings } from "@treadle/workspace";

/** What a project's workspace is told of its settings, secrets with their values: for the workspace and nobody else. */
export async function workspaceSettings(store: Store, project: string): Promise<WorkspaceSettings> {
  const [record, secrets] = await Promise.all([
    store.projects.get(project),
    store.secrets.reveal(project),
  ]);
  return { hosts: record?.hosts ?? [], staticHosts: record?.staticHosts ?? true, secrets };
}
