const PREFIX = "output:";

/** What is said of a path that leads to no output. */
export const NOT_KEPT =
  "No output is kept by that name: it never was, or newer ones took its place. Run the command again.";

/** A call's id: its run and its number. Nothing in it can lead anywhere else (A18). */
const NAME = /^[a-z0-9]{1,40}\.[0-9]{1,6}$/;

/** Whether it is the name of an output, and so of a file of its own. */
export const isOutputName = (name: string): boolean => NAME.test(name);

/** A kept output as a path that the model can give: no file of the project is meant by one. */
export const outputPath = (name: string): string => PREFIX + name;

/** The name in such a path: `undefined` where the path is one of the project's, "" where it names no output. */
export function outputName(path: string | undefined): string | undefined {
  if (!path?.startsWith(PREFIX)) return undefined;
  const name = path.slice(PREFIX.length);
  return isOutputName(name) ? name : "";
}
