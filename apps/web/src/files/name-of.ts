/** The last component of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
