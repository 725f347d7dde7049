import { isUnder } from "@treadle/protocol/project-path";
import { checkPath, WorkspaceError } from "@treadle/workspace";
import { z } from "zod";
import { sentence } from "@treadle/protocol/sentences";
import { prose } from "../text/prose.ts";
import { changedWords } from "./changed-words.ts";
import { writtenPath } from "./written-path.ts";
import { unreadIn } from "./unread-in.ts";
import { defineTool, done, refused } from "./tool.ts";

/** Removes a file or a folder. */
export const deleteFile = defineTool({
  name: "delete_file",
  description: prose(new URL("./delete-file.md", import.meta.url)),
  input: z.object({ path: writtenPath }),
  // A permanent approval of a file's changes does not include its removal.
  subject: ({ path }) => ({ kind: "remove", what: [path] }),
  async execute({ path: written }, context) {
    const path = checkPath(written);
    await context.personSettled?.([path]);
    const unread = unreadIn(path, context);
    if (unread !== undefined)
      return refused(
        sentence("not-deleted", { path }),
        `Nothing was deleted: ${changedWords(unread, context)}. Read it first.`,
      );
    if ([...context.personWrites.keys()].some((theirs) => isUnder(theirs, path)))
      await context.keepStanding?.();
    try {
      await context.workspace.files.remove(path);
    } catch (error) {
      if (!(error instanceof WorkspaceError) || error.code !== "missing") throw error;
      return done(
        sentence("not-there", { path }),
        `There is no ${path}: nothing had to be deleted.`,
      );
    }
    context.seen.delete(path);
    context.wrote(path, "");
    return done(sentence("deleted", { path }), `Deleted ${path}.`);
  },
});
