import { counted } from "./counted.ts";

export const files = {
  gone: (path: string) => `${path} is not there any more.`,
  deleteOne: (name: string) => `Delete ${name}?`,
  delete: "Delete",
  tooManyToUndo: (amount: number) =>
    counted(amount, {
      other:
        "It holds # files, too many to be put back here. What was kept as a checkpoint can be gone back to in the history.",
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
    conflict: "Changed by another hand",
    problem: "Not saved",
  },
  waits: "Waits for you",
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
    `${path} was changed by another hand while you edited it. Nothing was overwritten: this is the text on disk, yours is in the editor below.`,
  deletedMeanwhile: (path: string) =>
    `${path} was deleted by another hand while you edited it. Your text is in the editor below.`,
  keepMine: "Keep mine",
  takeBoth: "Take both",
  bothStand:
    "Both texts stand in the editor below, between marks where both changed the same lines. Put those places right, then keep what stands there.",
  keepBoth: "Keep what stands there",
  takeTheirs: "Take the one on disk",
  letGo: "Let it go",
  onDisk: "Text on disk",
  noText: "(not text)",
  noneFound: "No such file.",
  files: "Files",
  newPathOf: (path: string) => `New path of ${path}`,
  readOnly: (from: string, to: string, size: string) =>
    `Read only: lines ${from} to ${to}, of ${size}`,
  partBefore: "Part before",
  nextPart: "Next part",
  pdf: (size: string) => `This browser shows no PDF in a page (${size}). Download it to read it.`,
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
  exists: (path: string) => `There is a ${path} already.`,
  uploaded: (name: string) => `Uploaded ${name}.`,
  uploadedFiles: (amount: number) =>
    counted(amount, { one: "Uploaded # file.", other: "Uploaded # files." }),
};
