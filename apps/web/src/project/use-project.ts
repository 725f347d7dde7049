import type { ProjectDetail } from "@treadle/protocol";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { projectKey, readProject } from "../api/projects.ts";
import { useProjectId, useView } from "../live/live-context.tsx";

export interface OpenProject {
  id: string;
  name: string;
  model: string | undefined;
  /** Of turns that only plan; absent: the same. */
  planModel: string | undefined;
  previewOrigin: string;
  demo: string | undefined;
  /** The comparison that it is an attempt of. */
  comparison: string | undefined;
  /** What it was copied from. */
  origin: ProjectDetail["origin"];
}

/** What does not come through the log (the preview's origin), with what does laid over it. */
export function useProject(): OpenProject {
  const id = useProjectId();
  const { data } = useQuery({
    queryKey: projectKey(id),
    queryFn: ({ signal }) => readProject(id, signal),
  });
  const name = useView((view) => view.name);
  const model = useView((view) => view.model);
  const planModel = useView((view) => view.planModel);
  return {
    id,
    name: name ?? data?.name ?? "",
    model: model ?? data?.model,
    planModel: (planModel ?? data?.planModel) || undefined,
    previewOrigin: data?.previewOrigin ?? "",
    demo: data?.demo,
    comparison: data?.comparison,
    origin: data?.origin,
  };
}

export function useRefreshProject(): () => Promise<void> {
  const id = useProjectId();
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: projectKey(id) });
}
