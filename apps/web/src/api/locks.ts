import type { ProjectPath } from "@treadle/protocol";
import { sendJson } from "./request.ts";

/** Locks a file or folder, so that the model leaves it alone, or unlocks it. The log tells every page. */
export const setLock = (project: string, path: ProjectPath, locked: boolean) =>
  sendJson("POST", `/api/projects/${encodeURIComponent(project)}/locks`, { path, locked });
