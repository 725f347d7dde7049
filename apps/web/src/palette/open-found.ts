import { useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import { requestSearchTarget } from "../project/search-target-store.ts";
import type { Found } from "./use-found-everywhere.ts";

/** Opens a search result: the message, or the line of its file. */
export function useOpenFound(): (one: Found["found"][number]) => void {
  const navigate = useNavigate();
  return useCallback(
    (one) => {
      const { project } = one;
      if (one.kind === "line") requestSearchTarget({ project, path: one.path, line: one.line });
      else if (one.kind === "message" && one.message !== "")
        requestSearchTarget({ project, message: one.message });
      void navigate({ to: "/p/$project", params: { project } });
    },
    [navigate],
  );
}
