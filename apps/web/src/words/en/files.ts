import { counted } from "./counted.ts";

export const files = {
  gone: (path: string) => `${path} no longer exists.`,
  deleteOne: (name: string) => `Delete ${name}?`,
  delete: "Delete",
  tooManyToUndo: (amount: number) =>
    counted(amount, {
      other:
        "It holds # files, too many to put back here. In the history you can go back to a checkpoint.",
    }),
  newPath: "Path of the new file",
  tryAgain: "Try again",
  writing: "Writing",
  follow: "Follow",
  none: "There are no files yet.",
  choose: "Choose a file to read or edit it.",
  hide: "Hide the files",
  show: "Show the files",
  reading: "Reading…",
  states: {
    saved: "Saved",
    edited: "Edited",
    saving: "Saving…",
    written: "Being written…",
    conflict: "Changed elsewhere",
    problem: "Not saved",
  },
  waits: "Waiting for you",
  deleted: (name: string) => `Deleted ${name}.`,
  undo: "Undo",
  downloadOne: (name: string) => `Download ${name}`,
  download: "Download",
  save: "Save",
  rename: (name: string) => `Rename ${name}`,
  deleteFile: (name: string) => `Delete ${name}`,
  kept: (why: string) => `${why} Your text is kept in the editor.`,
  conflict: "Conflict",
  changedMeanwhile: (path: string) =>
    `${path} was changed elsewhere while you edited it. Nothing was overwritten: this is the text on disk, yours is in the editor below.`,
  deletedMeanwhile: (path: string) =>
    `${path} was deleted elsewhere while you edited it. Your text is in the editor below.`,
  keepMine: "Keep mine",
  takeBoth: "Take both",
  bothStand:
    "Both texts are in the editor below, between marks where both changed the same lines. Fix those places, then keep the result.",
  keepBoth: "Keep the result",
  takeTheirs: "Take the one on disk",
  letGo: "Discard mine",
  onDisk: "Text on disk",
  noText: "(not text)",
  noneFound: "No such file.",
  files: "Files",
  newPathOf: (path: string) => `New path of ${path}`,
  readOnly: (from: string, to: string, size: string) =>
    `Read only: lines ${from} to ${to}, of ${size}`,
  partBefore: "Part before",
  nextPart: "Next part",
  pdf: (size: string) =>
    `This browser cannot show a PDF on a page (${size}). Download it to read it.`,
  notText: (size: string) => `This file is not text (${size}).`,
  textOf: (path: string) => `Text of ${path}`,
  filter: "Filter the files",
  showAll: "Show all files",
  upload: "Upload files (or drop them on a folder)",
  toUpload: "Files to upload",
  newFile: "New file",
  uploading: (amount: number, percent: number) =>
    counted(amount, {
      one: `Uploading a file: ${percent} %`,
      other: `Uploading # files: ${percent} %`,
    }),
  notPutBack: (why: string) => `Not all of it could be put back. ${why}`,
  exists: (path: string) => `${path} already exists.`,
  uploaded: (name: string) => `Uploaded ${name}.`,
  uploadedFiles: (amount: number) =>
    counted(amount, { one: "Uploaded # file.", other: "Uploaded # files." }),
};
