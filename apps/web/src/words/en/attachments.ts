import { counted } from "./counted.ts";

export const attachments = {
  addFiles: "Add files",
  addAbout: "Add pictures or other files (or drop or paste them)",
  filesToAdd: "Files to add",
  letGo:
    "Drop to add: pictures are shown to the model, other files go into the project under data/",
  pictures: "Pictures",
  remove: (name: string) => `Remove ${name}`,
  asFile: (name: string) => `Put ${name} into the project as a file`,
  files: "Files",
  notUploaded: "not uploaded",
  goesTo: (place: string) => `Goes into the project as ${place} when you send`,
  uploading: (place: string) => `Uploading ${place}`,
  someFailed: (why: string) => `Not every file is in the project. ${why}`,
  tooLarge: "It is larger than 1 GB, the limit.",
  nothingSent: (why: string) => `Nothing was sent. ${why}`,
  tooMany: (most: number) =>
    counted(most, { other: "A folder can have at most # files. Nothing was added." }),
  unreadable: (path: string) => `${path} cannot be read. Nothing was added.`,
};
