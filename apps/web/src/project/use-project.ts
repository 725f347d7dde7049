import type { ProjectDetail } from "@treadle/protocol";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { projectKey, readProject } from "../api/projects.ts";
import { useProjectId, useView } from "../live/live-context.tsx";

export interface OpenProject {
  id: string;
  name: string;
  model: string | undefined;
  /** The model for planning turns; undefined uses `model`. */
  planModel: string | undefined;
  previewOrigin: string;
  demo: string | undefined;
  /** The comparison that the project is an attempt of. */
  comparison: string | undefined;
  /** If the project is the copy of a parallel request: the project that sent the request. */
  parallelOf: string | undefined;
  /** The project that it was copied from. */
  origin: ProjectDetail["origin"];
}

/** The project's details that are not in the log, such as the preview's origin, combined with those that are. */
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
    parallelOf: data?.parallelOf,
    origin: data?.origin,
  };
}

export function useRefreshProject(): () => Promise<void> {
  const id = useProjectId();
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: projectKey(id) });
}
