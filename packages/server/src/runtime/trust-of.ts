import { projectFolder } from "../project-context/project-folder.ts";
import type { RuntimeParts } from "../project-context/project-context.ts";
import { createProjectTrust, type ProjectTrust } from "@treadle/trust";

/** A project's trust: which versions of files people accepted. It is loaded on first use. */
export const trustOf = (
  { store, clock, dataDirectory, onNotice }: RuntimeParts,
  project: string,
): ProjectTrust =>
  createProjectTrust({
    store,
    project,
    folder: projectFolder(dataDirectory, project),
    now: () => clock.now(),
    onNotice,
  });
