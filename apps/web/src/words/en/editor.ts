import { counted } from "./counted.ts";

export const editor = {
  openFiles: "Open files",
  notSaved: "(not saved)",
  close: (name: string) => `Close ${name}`,
  split: "Show beside",
  closeBeside: "Close the file beside",
  find: "Find",
  replaceWith: "Replace with",
  matchCase: "Match case",
  wholeWord: "Whole words",
  expression: "Regular expression",
  noExpression: "Not a regular expression",
  before: "Match before",
  next: "Next match",
  endSearch: "Close the search",
  replace: "Replace",
  replaceAll: "Replace all",
  noMatch: "No match",
  matchOf: (at: number, all: number, more: boolean) =>
    at === 0
      ? counted(all, more ? { other: "#+ matches" } : { one: "# match", other: "# matches" })
      : `${at} of ${all}${more ? "+" : ""}`,
  hiddenValue: "hidden value",
  showValues: "Show the values",
  hideValues: "Hide the values",
  badFont: "The font could not be read.",
  fontSample: "The quick brown fox jumps over the lazy dog 0123456789",
  elsewhere: "It is defined outside the project's own files.",
  noDefinition: "No definition was found.",
  noAnswer: "The language server did not answer.",
  newName: "New name",
  rename: "Rename",
  notRenamed: "This cannot be renamed.",
  renamed: (name: string, files: number) =>
    counted(files, {
      one: `Renamed to ${name} in # file.`,
      other: `Renamed to ${name} in # files.`,
    }),
  renamedPartly: (files: string) => `Renamed, but not in ${files}, which changed meanwhile.`,
  refusedEdit:
    "The language server wanted to change something outside the project's own files. Nothing was changed.",
  noHelp: "No language help",
  searchAll: "Find in all files",
  withReplace: "Replace as well",
  whichFiles: "Files…",
  folderExample: "src, *.css",
  leftExample: "*.test.ts",
  onlyFiles: "Only in these",
  leaveOut: "Not in these",
  results: "What was found",
  searching: "Searching…",
  foundCount: (lines: number, files: number, more: boolean) =>
    `${counted(lines, more ? { other: "#+ lines" } : { one: "# line", other: "# lines" })} ${counted(files, { one: "in # file", other: "in # files" })}`,
  usesOf: (name: string, uses: number) =>
    counted(uses, { one: `${name}: # use`, other: `${name}: # uses` }),
  replaceInFile: (name: string) => `Replace in ${name}`,
  replaceLine: (line: number) => `Replace in line ${line}`,
  replaceCount: (lines: number) =>
    counted(lines, { one: "Replace in # line", other: "Replace in # lines" }),
  leaveFile: (name: string) => `Leave ${name} out`,
  leaveLine: (line: number) => `Leave line ${line} out`,
  filesDone: (done: number, of: number) =>
    `${done} of ${counted(of, { one: "# file…", other: "# files…" })}`,
  replaced: (lines: number, files: number) =>
    `${counted(lines, { one: "Replaced in # line", other: "Replaced in # lines" })}, ${counted(files, { one: "# file", other: "# files" })}.`,
  stop: "Stop",
  stoppedBefore: (files: number) =>
    `Stopped: ${counted(files, { one: "# file is", other: "# files are" })} unchanged.`,
  otherwise: (path: string) => `${path} has changed since it was read.`,
  notReplaced: (files: string) => `Left as they are: ${files}.`,
  notTakenBack: (files: string) => `Left alone, because they were changed again: ${files}.`,
  lock: (name: string) => `Lock ${name}: the model leaves it alone`,
  unlock: (name: string) => `Unlock ${name}`,
  lockedByFolder: (name: string) => `${name} is in a locked folder`,
  locked: "locked",
  lockItem: "Lock for the model",
  unlockItem: "Unlock",
  inLockedFolder: "In a locked folder",
  newFolder: "New folder",
  newFolderPath: "Path of the new folder",
  renameItem: "Rename",
  closeItem: "Close",
  closeOthers: "Close the others",
  copyPath: "Copy path",
  downloadZip: "Download as ZIP",
  turnMarks: {
    added: "New since the last turn began",
    changed: "Changed since the last turn began",
    removed: "Lines removed since the last turn began",
  },
  format: "Format (Shift+Alt+F)",
  noFormatter:
    "There is no formatter for this kind of file. The project's own Prettier or Biome is used if it has one.",
  offered: (text: string) => `Suggestion: ${text}. Tab accepts it, Escape refuses it.`,
  symbolsOf: (path: string, amount: number) =>
    counted(amount, { one: `${path}: # name`, other: `${path}: # names` }),
};
