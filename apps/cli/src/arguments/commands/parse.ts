import { commandShape } from "../command-shape.ts";

export const parse = commandShape({
  name: "parse",
  words: "[FILE]",
  summary: "a saved model answer to events, or with --dir to files",
  completes: "files",
  options: {
    dialect: {
      kind: "text",
      of: ["artifact", "tags"],
      help: "how it was written; default artifact",
    },
    dir: { kind: "folder", value: "DIR", help: "a folder for its files" },
    json: { kind: "flag", help: "one event a line" },
    exact: {
      kind: "flag",
      help: "to the letter: code fences and escapes around things stay what they are",
    },
  },
  read(values, words) {
    if (words.length > 1) return { wrong: "“parse” reads one file, or standard input." };
    return {
      file: words[0],
      dialect: values.dialect ?? ("artifact" as const),
      dir: values.dir,
      json: values.json ?? false,
      /** To the letter: fences and escapes that models put around things are content. */
      exact: values.exact ?? false,
    };
  },
});
