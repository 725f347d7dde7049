import type { Value } from "../types.ts";

/** Written by `catalogues/write-values.ts` of the page from its English catalogue. */
export const PROJECTS = {
  "conversation-unknown": () =>
    "The conversation at that point is not known. Nothing was changed; go back with the files only.",
  "restore-prevented": ({ why }: { why: Value }) =>
    `A program writes a file again and again while it is being restored (${why}). What it wrote is kept, and some files are restored already. Stop the program, then go back again.`,
  "checkpoint-missing": ({ thinned }: { thinned: Value }) =>
    `${thinned === "yes" ? "This checkpoint was removed to save room." : "There is no such checkpoint."} Nothing was copied.`,
  "files-stay": ({ why }: { why: Value }) =>
    `The project was not removed: not all of its files could be removed (${why}). Some may be gone.`,
  "secret-name-invalid": () =>
    "A secret needs the name of a variable: letters, digits and _, for example OPENAI_API_KEY.",
  "secret-name-reserved": ({ name }: { name: Value }) =>
    `${name} is a variable that the sandbox itself needs. Choose another name.`,
  "secret-has-lines": ({ name }: { name: Value }) => `The value of ${name} must be one line.`,
  "host-postgres": ({ text }: { text: Value }) =>
    `“${text}” cannot be allowed as a host. An app finds a PostgreSQL of its own at localhost:5432 without that: treadle doctor says which.`,
  "model-reads-no-pictures": ({ model }: { model: Value }) =>
    `${model} reads no pictures. Choose a model that does, say under the model’s name that it does, or remove the pictures. Nothing was sent.`,
  "folder-missing": ({ folder }: { folder: Value }) => `${folder} is not a folder.`,
  "recording-continued": () =>
    "A recording cannot continue from the middle. Play it again from the first page, or add a model to go on with this project.",
  "prompt-empty": () => "There is nothing to do yet: say what to build or change.",
  "prompt-too-long": ({ length, limit }: { length: number; limit: number }) =>
    `The message has ${length.toLocaleString("en")} characters; the limit is ${limit.toLocaleString("en")}. Nothing was sent. Put long material into a file of the project.`,
  "prompt-not-person": () => "The last message is not from a person.",
  "picture-too-large": ({
    megabytes,
    number,
    which,
  }: {
    megabytes: Value;
    number: Value;
    which: Value;
  }) =>
    `${which === "one" ? "The picture" : `Picture ${number}`} is larger than ${megabytes} MB, the limit of models. Nothing was sent.`,
  "picture-unknown": ({ number, which }: { number: Value; which: Value }) =>
    `${which === "one" ? "The picture" : `Picture ${number}`} is not a PNG, JPEG, GIF or WebP, the kinds that models read. Nothing was sent.`,
  "no-screenshot": ({ why }: { why: Value }) => `No picture of the page could be taken: ${why}`,
  "lock-of-everything": () =>
    "You can lock files and folders, not the whole project. To have nothing changed, use Discuss or Plan.",
  "secret-file": ({ path }: { path: Value }) =>
    `${path} holds secrets. It is not shown to any model.`,
  "nothing-to-start": () =>
    "The project has no dev or start script and no index.html, so nothing can be started.",
  "attempt-conflict": ({ files }: { files: Value }) =>
    `The attempt and the project both changed ${files}. Nothing was taken over. If you keep the attempt all the same, its versions replace the project’s, which are first saved as a checkpoint.`,
  "comparison-ending": () => "This comparison is already ending.",
  "attempt-count": ({ count, limit }: { count: number; limit: number }) =>
    `A comparison has 2 to ${limit.toLocaleString("en")} attempts; these are ${count.toLocaleString("en")}. Nothing was started.`,
  "attempt-empty": () => "This attempt has made nothing that could be kept.",
  "attempt-deleted": () => "This attempt was deleted.",
  "not-recorded": () =>
    "There is no recorded turn to export. Turns are recorded from this version on, the newest 50 of a project.",
  "recording-without-model": ({ id }: { id: Value }) => `The recording has no model ${id}.`,
  "recording-unknown": ({ id }: { id: Value }) => `There is no recorded build “${id}”.`,
  "rules-too-long": ({ length, limit }: { length: number; limit: number }) =>
    `Rules can have at most ${limit.toLocaleString("en")} characters; these have ${length.toLocaleString("en")}. Nothing was changed.`,
  "accepted-version-gone": ({ path }: { path: Value }) =>
    `${path} as it was is no longer kept separately. It is in the history.`,
  "answered-already": () => "The question was answered already; that answer counts.",
  "answered-by": ({ name }: { name: Value }) =>
    `${name} answered the question already; that answer counts.`,
  "answer-mismatch": () => "That does not answer the question.",
  "not-queued": () =>
    "This cannot be done any more, or not yet: the model has the message already, its turn has begun, or it is to change nothing while this turn builds.",
  "nothing-by-eye": () => "Nothing with these words has to be judged by eye.",
  "nothing-to-copy": () =>
    "The project has no revision yet that a copy could be made of. Wait until its first turn is done.",
};
