import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ProjectSettings } from "@treadle/protocol";
import { readProjectSettings } from "../api/project-settings.ts";
import { useView } from "../live/live-context.tsx";

/** Hosts and secrets of a project; read again whenever the log says that the list has changed. */
export function useProjectSettings(project: string) {
  const allowed = useView((view) => view.allowed.join());
  const client = useQueryClient();
  const key = ["projects", project, "settings", allowed];
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readProjectSettings(project, signal),
    placeholderData: (before) => before,
    // A host that is allowed once more leads to a list that was known: it is read again all the same.
    staleTime: 0,
  });
  return {
    settings: data,
    error,
    /** Shows what a request answered, before the log tells of it. */
    show: (settings: ProjectSettings) => client.setQueryData(key, settings),
  };
}
