import type { ProjectPath } from "@treadle/protocol";
import { sendJson } from "./request.ts";

/** Locks a file or folder against changes by the model, or unlocks it. The log reports the change to every page. */
export const setLock = (project: string, path: ProjectPath, locked: boolean) =>
  sendJson("POST", `/api/projects/${encodeURIComponent(project)}/locks`, { path, locked });
