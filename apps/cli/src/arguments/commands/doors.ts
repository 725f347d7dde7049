/** What goes out of a server that runs, and comes into it. */
import { commandShape } from "../command-shape.ts";
import { DATA } from "../shared-options.ts";

const OF_ONE = "PROJECT is its id or its name, or a beginning of either that only one has.";

export const exportProject = commandShape({
  name: "export",
  words: "PROJECT [FILE]",
  summary: "a project out of the server that runs: its files, its chat or its log",
  help: `${OF_ONE} FILE is named after it where you name none, and never written over; - is standard output.`,
  completes: "files",
  options: {
    as: {
      kind: "text",
      of: ["zip", "markdown", "json", "log"],
      help: "zip: its files (default); markdown, json: what was said and done; log: all of its log as JSON Lines, which import takes again",
    },
    "without-secrets": { kind: "flag", help: "a ZIP without .env files" },
    docker: {
      kind: "flag",
      help: "a ZIP with a Dockerfile and a compose file, which run it without Treadle",
    },
    ...DATA,
  },
  read(values, [project, file, more]) {
    if (!project || more !== undefined)
      return { wrong: "“export” takes a project, and the file to write. Nothing was written." };
    const form = values.as ?? ("zip" as const);
    const { docker = false } = values;
    if (docker && form !== "zip")
      return { wrong: "--docker goes with a ZIP. Nothing was written." };
    return { project, file, form, docker, withoutSecrets: values["without-secrets"] ?? false, data: values.data }; // prettier-ignore
  },
});

export const importProject = commandShape({
  name: "import",
  words: "WHAT",
  summary: "a new project in the server that runs, of what was made elsewhere",
  help: "WHAT is a folder, a ZIP, the address of a git repository (https://…, git@host:…), a chat that bolt exported (JSON), or a log of “treadle export --as log” (JSON Lines). A folder is copied, without node_modules and .git; “treadle serve --open DIR” works in it instead.",
  completes: "files",
  options: {
    name: { kind: "text", value: "NAME", help: "how it is called; default by what it is" },
    branch: { kind: "text", value: "BRANCH", help: "of a repository; default its own" },
    local: { kind: "flag", help: "the repository may be of this machine or its network" },
    ...DATA,
  },
  read({ name, branch, local = false, data }, [what, more]) {
    if (!what || more !== undefined)
      return { wrong: "“import” takes one folder, file or address. Nothing was imported." };
    return { what, name, branch, local, data };
  },
});

export const checkpoints = commandShape({
  name: "checkpoints",
  words: "PROJECT [FROM [TO]]",
  summary: "what a project can be gone back to, what differs, and the way back",
  help: `${OF_ONE} With FROM, what differs between it and the files as they are, or TO. FROM and TO are ids of the list, or beginnings that only one has; with --restore, FROM is what the files go back to: how they stood is kept first, so that this too can be undone.`,
  options: {
    restore: { kind: "flag", help: "put the files back to FROM" },
    conversation: {
      kind: "flag",
      help: "with --restore: what was said later is folded away as well",
    },
    json: { kind: "flag", help: "one checkpoint, or one changed file, a line" },
    ...DATA,
  },
  read({ restore = false, conversation = false, json = false, data }, [project, from, to, more]) {
    if (!project || more !== undefined)
      return { wrong: "“checkpoints” takes a project, and at most two of its checkpoints." };
    if (restore && (from === undefined || to !== undefined))
      return { wrong: "--restore takes one checkpoint. Nothing was changed." };
    if (conversation && !restore)
      return { wrong: "--conversation goes with --restore. Nothing was changed." };
    return { project, from, to, restore, conversation, json, data };
  },
});
