import type { ToolEntry } from "./types.ts";

/** All of Treadle's own tools, in the order in which models receive them. */
export const TOOLS = {
  use_template: { kind: "scaffolds", doing: () => "Laying out the project" },
  write_file: {
    kind: "writes",
    about: "path",
    arguments: { content: "file" },
    verb: "write",
    doing: (path = "a file") => `Writing ${path}`,
    next: (path = "a file") => `Will write ${path}`,
    many: (count) => `Wrote ${count} files`,
  },
  edit_file: {
    kind: "writes",
    about: "path",
    arguments: { edits: "edits" },
    verb: "edit",
    doing: (path = "a file") => `Editing ${path}`,
    next: (path = "a file") => `Will edit ${path}`,
    many: (count) => `Made ${count} edits`,
  },
  read_file: {
    kind: "reads",
    about: "path",
    result: "files",
    verb: "read",
    doing: (path = "a file") => `Reading ${path}`,
    next: (path = "a file") => `Will read ${path}`,
    many: (count) => `Read ${count} files`,
  },
  list_files: {
    kind: "reads",
    doing: () => "Listing the files",
    many: (count) => `Listed files ${count} times`,
  },
  search_files: {
    kind: "reads",
    doing: () => "Searching the files",
    many: (count) => `Searched ${count} times`,
  },
  outline: { kind: "reads", doing: () => "Looking through the code" },
  delete_file: {
    kind: "writes",
    about: "path",
    verb: "delete",
    doing: (path = "a file") => `Deleting ${path}`,
    next: (path = "a file") => `Will delete ${path}`,
    many: (count) => `Deleted ${count} files`,
  },
  rename_file: { kind: "moves", doing: () => "Moving a file" },
  run_command: {
    kind: "runs",
    about: "command",
    doing: (command) => (command === undefined ? "Preparing a command" : `Running ${command}`),
    next: (command = "a command") => `Will run ${command}`,
    many: (count) => `Ran ${count} commands`,
  },
  start_server: {
    kind: "serves",
    doing: () => "Starting the server",
    next: () => "Will start the server",
  },
  read_build_result: {
    kind: "looks",
    doing: () => "Looking at the page",
    next: () => "Will look at the page",
    many: (count) => `Looked ${count} times`,
  },
  inspect_preview: {
    kind: "looks",
    doing: () => "Looking at the page",
    next: () => "Will look at the page",
  },
  use_preview: {
    kind: "looks",
    doing: () => "Using the app",
    next: () => "Will use the app",
  },
  use_skill: { kind: "reads", result: "skills", doing: () => "Reading a skill" },
  fetch_url: {
    kind: "reads",
    about: "url",
    doing: (address = "a web page") => `Reading ${address}`,
  },
  ask_user: { kind: "asks", doing: () => "Asking you", next: () => "Asks you" },
  todo: { kind: "plans", arguments: { items: "list" }, doing: () => "Planning the work" },
  finish: { kind: "ends", doing: () => "Finishing" },
} satisfies Record<string, ToolEntry>;

/** A tool of Treadle's own. */
export type ToolName = keyof typeof TOOLS;
