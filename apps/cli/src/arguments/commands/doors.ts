/** `export`, `import` and `checkpoints` of a running server. */
import { commandShape } from "../command-shape.ts";
import { DATA } from "../shared-options.ts";

const OF_ONE = "PROJECT is its id or its name, or an unambiguous beginning of either.";

export const exportProject = commandShape({
  name: "export",
  words: "PROJECT [FILE]",
  summary: "export a project from the running server: its files, its chat or its log",
  help: `${OF_ONE} Without FILE, the file is named after the project; an existing file is never overwritten; - is standard output.`,
  completes: "files",
  options: {
    as: {
      kind: "text",
      choices: ["zip", "markdown", "json", "log", "transcript"],
      help: "zip: its files (default); markdown, json: what was said and done; log: all of its log as JSON Lines, which can be imported again; transcript: its recorded turns, without keys, for “treadle replay”",
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
  summary: "make a project on the running server from a folder, file, address or export",
  help: "WHAT is a folder, a ZIP, the address of a git repository (https://…, git@host:…), a chat that bolt exported (JSON), or a log of “treadle export --as log” (JSON Lines). A folder is copied, without node_modules and .git; “treadle serve --open DIR” works in it instead.",
  completes: "files",
  options: {
    name: { kind: "text", value: "NAME", help: "name of the project; default by what it is" },
    branch: { kind: "text", value: "BRANCH", help: "branch of a repository; default its own" },
    local: { kind: "flag", help: "the repository may be on this machine or its network" },
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
  summary: "list a project's checkpoints, compare them, or go back to one",
  help: `${OF_ONE} With FROM, shows what differs between it and the current files, or TO. FROM and TO are ids from the list, or unambiguous beginnings of them. With --restore, the files go back to FROM; their current state is kept first, so this can be undone too.`,
  options: {
    restore: { kind: "flag", help: "put the files back to FROM" },
    conversation: {
      kind: "flag",
      help: "with --restore: later messages are folded away as well",
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
