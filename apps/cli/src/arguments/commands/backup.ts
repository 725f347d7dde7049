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
  summary: "put all of Treadle's data into one archive, even while the server runs",
  help: "It holds projects, chats, checkpoints, settings and keys, so keep it as safe as those.",
  completes: "files",
  options: DATA,
  read: ({ data }, words) => oneFile("backup", words, data),
});

export const restore = commandShape({
  name: "restore",
  words: "FILE",
  summary: "make a new data folder from such an archive",
  completes: "files",
  options: DATA,
  read: ({ data }, words) => oneFile("restore", words, data),
});
