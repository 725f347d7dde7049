import { posix } from "node:path";

/** A path of a project as the watcher tells it, however the page wrote it. */
export const placeOf = (path: string): string => posix.normalize(path).replace(/\/+$/, "");
