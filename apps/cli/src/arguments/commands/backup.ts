import { commandShape } from "../command-shape.ts";
import { DATA } from "../shared-options.ts";

function oneFile(
  name: string,
  [file, more]: string[],
  data: string | undefined,
): { file: string; data: string | undefined } | { wrong: string } {
  if (file && more === undefined) return { file, data };
  return { wrong: `“${name}” takes one file: treadle ${name} treadle.tar.gz.` };
}

export const backup = commandShape({
  name: "backup",
  words: "FILE",
  summary: "everything that is kept in one archive, also while the server runs",
  help: "Projects, chats, checkpoints, settings and keys: keep it as you keep those.",
  completes: "files",
  options: DATA,
  read: ({ data }, words) => oneFile("backup", words, data),
});

export const restore = commandShape({
  name: "restore",
  words: "FILE",
  summary: "a data folder from such an archive, where there is none yet",
  completes: "files",
  options: DATA,
  read: ({ data }, words) => oneFile("restore", words, data),
});
