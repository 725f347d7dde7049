import { commandShape } from "../command-shape.ts";

export const parse = commandShape({
  name: "parse",
  words: "[FILE]",
  summary: "turn a saved model answer into events, or with --dir into files",
  completes: "files",
  options: {
    dialect: {
      kind: "text",
      choices: ["artifact", "tags"],
      help: "how it was written; default artifact",
    },
    dir: { kind: "folder", value: "DIR", help: "a folder for its files" },
    json: { kind: "flag", help: "one event a line" },
    exact: {
      kind: "flag",
      help: "read to the letter: code fences and escapes around things stay",
    },
  },
  read(values, words) {
    if (words.length > 1) return { wrong: "“parse” reads one file, or standard input." };
    return {
      file: words[0],
      dialect: values.dialect ?? ("artifact" as const),
      dir: values.dir,
      json: values.json ?? false,
      /** Whether to read literally: fences and escapes that models add are then content. */
      exact: values.exact ?? false,
    };
  },
});
