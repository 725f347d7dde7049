import { isProtectedPath, movedPath } from "@treadle/protocol/project-path";
import type { ProjectPath } from "@treadle/protocol";
import { checkPath, WorkspaceError, type Workspace } from "@treadle/workspace";
import { z } from "zod";
import { sentence } from "@treadle/protocol/sentences";
import { prose } from "../text/prose.ts";
import { isManifest } from "../trust/hooks-changed.ts";
import { isUnaccepted } from "../trust/protected-files.ts";
import { READ_BYTES } from "./limits.ts";
import { changedWords } from "./changed-words.ts";
import { writtenPath } from "./written-path.ts";
import { unreadIn } from "./unread-in.ts";
import { defineTool, done, refused, type ToolContext } from "./tool.ts";

/** Maximum number of a folder's files whose new paths are listed. */
const TOLD = 400;

/** Moves a file or a folder. Never overwrites an existing one. */
export const renameFile = defineTool({
  name: "rename_file",
  description: prose(new URL("./rename-file.md", import.meta.url)),
  input: z.object({ from: writtenPath, to: writtenPath }),
  async execute(written, context) {
    const [from, to] = [checkPath(written.from), checkPath(written.to)];
    const { workspace } = context;
    await context.personSettled?.([from, to]);
    const unread = unreadIn(from, context);
    if (unread !== undefined)
      return refused(
        sentence("not-renamed", { path: from }),
        `Nothing was renamed: ${changedWords(unread, context)}. Read it first.`,
      );
    if (await isThere(workspace, to))
      return refused(
        sentence("not-renamed", { path: from }),
        `Nothing was renamed: ${to} exists already.`,
      );
    const inside = await pathsIn(workspace, from);
    await workspace.files.rename(from, to);
    for (const path of inside) await moved(context, path, movedPath(path, from, to));
    return done(sentence("renamed", { from, to }), `${from} is now ${to}.`);
  },
});

async function isThere({ files }: Workspace, path: ProjectPath): Promise<boolean> {
  if ((await files.list({ under: path, limit: 1 }).catch(() => ({ files: [] }))).files.length > 0)
    return true;
  try {
    await files.read(path, { limit: 1 });
    return true;
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === "missing") return false;
    if (error instanceof WorkspaceError && error.code === "too-large") return true;
    throw error;
  }
}

/** The file itself, or the files in the folder. */
async function pathsIn({ files }: Workspace, path: ProjectPath): Promise<ProjectPath[]> {
  const listed = await files.list({ under: path, limit: TOLD }).catch(() => ({ files: [] }));
  const inside = listed.files.filter(
    (file) => file.kind === "file" && file.path.startsWith(`${path}/`),
  );
  return inside.length > 0 ? inside.map((file) => file.path) : [path];
}

/** Attributes the change of both paths to the model. */
async function moved(context: ToolContext, from: ProjectPath, to: ProjectPath) {
  const { workspace, seen, wrote, isAccepted } = context;
  const known = seen.get(from);
  seen.delete(from);
  const read = await workspace.files.read(to, { limit: READ_BYTES }).catch(() => undefined);
  // An approval of a protected file follows it to its new name. Other names say nothing about the
  // content.
  const looked = isProtectedPath(from) || isManifest(from) ? from : to;
  const unseen = read && isUnaccepted(looked, read, isAccepted);
  wrote(from, "");
  // The file is too large to be read; the model has not read it before either.
  if (!read) return;
  const { version } = read;
  wrote(to, version, unseen);
  if (known !== undefined) seen.set(to, version);
}
