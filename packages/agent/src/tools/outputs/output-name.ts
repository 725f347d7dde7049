const PREFIX = "output:";

/** The error for a path that leads to no output. */
export const NOT_KEPT =
  "No output is kept by that name: it never was, or newer ones took its place. Run the command again.";

/** A call's id: its run and its number. The form allows no path traversal (A18). */
const NAME = /^[a-z0-9]{1,40}\.[0-9]{1,6}$/;

/** Whether the name is that of an output, which has a file of its own. */
export const isOutputName = (name: string): boolean => NAME.test(name);

/** The path under which the model can read a saved output; it cannot be a project file. */
export const outputPath = (name: string): string => PREFIX + name;

/** The output's name in such a path: `undefined` for a project path, "" for an invalid name. */
export function outputName(path: string | undefined): string | undefined {
  if (!path?.startsWith(PREFIX)) return undefined;
  const name = path.slice(PREFIX.length);
  return isOutputName(name) ? name : "";
}
