import { join } from "node:path";

/** The folder in which the server stores a project's data, and its files unless they are in a personal folder. */
export function projectFolder(dataDirectory: string, project: string): string {
  return join(dataDirectory, "projects", project);
}

/** The folder that stores the text of a project's terminals. */
export const terminalFolder = (projectFolder: string) => join(projectFolder, "terminals");
