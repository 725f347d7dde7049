import type { ProjectPath } from "../project-path/index.ts";

/** A file and its changed version, as one key. */
export const acceptedKey = (path: ProjectPath, version: string) => `${version}\0${path}`;
