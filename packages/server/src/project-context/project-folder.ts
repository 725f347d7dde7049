import { join } from "node:path";

/** Where a project without a folder of its own lies. */
export function projectFolder(dataDirectory: string, project: string): string {
  return join(dataDirectory, "projects", project);
}

/** Where the text of a project's terminals is kept. */
export const terminalFolder = (projectFolder: string) => join(projectFolder, "terminals");
