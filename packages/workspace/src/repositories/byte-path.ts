/**
 * A path with one character for each of its bytes: names that are no UTF-8 would be others after being read as text, and
 * what is called so would never be found.
 */
export type BytePath = string;

export const bytePath = (text: string): BytePath => Buffer.from(text).toString("latin1");
/** As the system takes it. */
export const systemPath = (path: BytePath): Buffer => Buffer.from(path, "latin1");
/** As a person reads it. */
export const textPath = (path: BytePath): string => systemPath(path).toString();

export const below = (folder: BytePath, name: BytePath): BytePath =>
  folder === "" ? name : name === "" ? folder : `${folder}/${name}`;
