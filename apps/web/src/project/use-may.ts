import { useProjectAccess } from "../api/account.ts";
import { useProjectId } from "../live/live-context.tsx";

/** Whether the person may do something in the open project, such as `project.edit`. True until that is known. */
export function useMay(action: `project.${string}`): boolean {
  return useProjectAccess(useProjectId())?.(action) ?? true;
}
