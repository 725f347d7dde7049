import { useQuery } from "@tanstack/react-query";
import { enterPreview } from "../api/projects.ts";
import { useProject } from "../project/use-project.ts";
import { isLoopback } from "../ui/loopback.ts";

/**
 * The address that the app's frame is sent to; undefined until it is known. A preview on another
 * machine is entered with a ticket each time, since nothing of the workbench's sign-in reaches it.
 * @param port undefined for the first one
 * @param source where the frame is sent, and how often it was sent before
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
