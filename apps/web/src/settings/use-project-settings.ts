import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ProjectSettings } from "@treadle/protocol";
import { readProjectSettings } from "../api/project-settings.ts";
import { useView } from "../live/live-context.tsx";

/** Hosts and secrets of a project, read again whenever the log reports a change. */
export function useProjectSettings(project: string) {
  const allowed = useView((view) => view.allowed.join());
  const client = useQueryClient();
  const key = ["projects", project, "settings", allowed];
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readProjectSettings(project, signal),
    placeholderData: (before) => before,
    // Allowing a known host again does not change the list, so it is always read again.
    staleTime: 0,
  });
  return {
    settings: data,
    error,
    /** Shows a request's answer before the log reports the change. */
    show: (settings: ProjectSettings) => client.setQueryData(key, settings),
  };
}
