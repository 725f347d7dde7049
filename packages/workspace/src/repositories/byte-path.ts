/**
 * A path with one character per byte: names that are not UTF-8 would be changed by decoding them,
 * and not found again.
 */
export type BytePath = string;

export const bytePath = (text: string): BytePath => Buffer.from(text).toString("latin1");
/** The path as bytes for system calls. */
export const systemPath = (path: BytePath): Buffer => Buffer.from(path, "latin1");
/** The path decoded for people. */
export const textPath = (path: BytePath): string => systemPath(path).toString();

export const below = (folder: BytePath, name: BytePath): BytePath =>
  folder === "" ? name : name === "" ? folder : `${folder}/${name}`;
