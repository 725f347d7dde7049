import { join } from "node:path";

/** The folder of a project without a folder of its own. */
export function projectFolder(dataDirectory: string, project: string): string {
  return join(dataDirectory, "projects", project);
}

/** The folder that stores the text of a project's terminals. */
export const terminalFolder = (projectFolder: string) => join(projectFolder, "terminals");
