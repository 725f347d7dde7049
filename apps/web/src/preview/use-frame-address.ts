import { useQuery } from "@tanstack/react-query";
import { enterPreview } from "../api/projects.ts";
import { useProject } from "../project/use-project.ts";
import { isLoopback } from "../ui/loopback.ts";

/**
 * The address to load in the app's frame; undefined until it is known. A preview on another machine needs a new ticket
 * in the address for each load, because the workbench's sign-in does not apply to the preview's origin.
 * @param port a port of the app; undefined for its first one
 * @param source the path to load, and how often the frame was sent to a path before
 */
export function useFrameAddress(
  origin: string,
  port: number | undefined,
  source: { path: string; again: number },
): string | undefined {
  const { id: project } = useProject();
  const isHere = isLoopback(new URL(origin).hostname);
  const { data } = useQuery({
    queryKey: ["preview-pass", project, origin, source.again],
    queryFn: () => enterPreview(project, { port, path: source.path }),
    enabled: !isHere,
    staleTime: Infinity,
    gcTime: 0,
  });
  return isHere ? origin + source.path : data?.address;
}
