import { commandShape } from "../command-shape.ts";
import { DATA, UNSAFE } from "../shared-options.ts";

export const replay = commandShape({
  name: "replay",
  words: "FILE",
  summary: "repeat recorded turns with this version, and show what is different",
  help: "FILE is a transcript of “treadle export --as transcript” or “treadle run --transcript”; - is standard input. The recorded answers are played in a new project; no model is asked. Exit status: 0 alike, 1 different, 2 usage. It shows where the instructions, the tools, what the model was told, results, evidence and verdicts differ.",
  completes: "files",
  options: {
    fast: {
      kind: "flag",
      help: "run no command and open no page: what the recording saw of them is given. Files are still read and changed",
    },
    json: { kind: "flag", help: "one difference a line, the result last" },
    write: {
      kind: "text",
      value: "FILE",
      help: "write the replay's own transcript: the recording as this version makes it",
    },
    ...DATA,
    ...UNSAFE,
  },
  read(values, [file, more]) {
    if (!file || more !== undefined)
      return { wrong: "“replay” takes one transcript, or - for standard input." };
    return {
      file,
      fast: values.fast ?? false,
      json: values.json ?? false,
      /** The file for the replay's own transcript; absent: none is written. */
      write: values.write,
      data: values.data,
      unsafe: values["unsafe-no-sandbox"] ?? false,
    };
  },
});
