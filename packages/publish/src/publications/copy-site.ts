import { sentence } from "@treadle/protocol/sentences";
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ProjectPath } from "@treadle/protocol";
import { PROJECT_FOLDER } from "@treadle/protocol/project-path";
import { WorkspaceError, type ListedFile, type Workspace } from "@treadle/workspace";
import { FILES_AT_ONCE, someAtOnce } from "@treadle/common";
import { ReleaseFailure } from "./release-failure.ts";

/** Limits of a site: number of files, and total bytes. */
const MOST = { files: 20_000, bytes: 500 * 1024 * 1024 };

/** Files beside a site that are not part of it, if the project's own folder is the site. */
const NO_PART =
  /^(?:package(?:-lock)?\.json|pnpm-.*\.yaml|yarn\.lock|bun\.lockb?|tsconfig.*\.json|.*\.config\.[cm]?[jt]s|(?:README|AGENTS|CLAUDE|GEMINI)(?:\.md)?|node_modules)$/i;

const isHidden = (path: string) =>
  path.split("/").some((part) => part.startsWith(".") && part !== ".well-known");

/**
 * Copies a site out of the sandbox, so that it can be served without it. Names come from the guest
 * as project paths, so none leads elsewhere; hidden files are skipped.
 * @param to absolute path, created
 * @throws ReleaseFailure if there is no site, it is too large, or a name cannot be part of a URL
 */
export async function copySite(
  { files }: Pick<Workspace, "files">,
  folder: ProjectPath,
  to: string,
): Promise<void> {
  const isProject = folder === PROJECT_FOLDER;
  const { files: listed, more } = await files.list({
    under: isProject ? undefined : folder,
    limit: MOST.files,
  });
  if (more) throw new ReleaseFailure(sentence("site-too-many-files", { limit: MOST.files }));
  const parts = listed.flatMap(({ path, kind, size }) => {
    const name = isProject ? path : path.slice(folder.length + 1);
    const isPart = !isHidden(name) && !(isProject && NO_PART.test(name));
    return isPart ? [{ path, kind, name, size }] : [];
  });
  const filesToCopy = parts.filter(({ kind }) => kind === "file");
  const bytes = filesToCopy.reduce((sum, { size }) => sum + size, 0);
  if (bytes > MOST.bytes)
    throw new ReleaseFailure(sentence("site-too-large", { megabytes: MOST.bytes / 1024 / 1024 }));
  for (const part of parts) if (await isMisread(files, part, parts)) throw misread(part.name);
  await mkdir(to, { recursive: true });
  const folders = new Set(filesToCopy.map(({ name }) => dirname(join(to, name))));
  for (const one of folders) await mkdir(one, { recursive: true });
  await someAtOnce(filesToCopy, FILES_AT_ONCE, async ({ path, name }) => {
    const { pieces } = await files.readStream(path);
    await pipeline(pieces, createWriteStream(join(to, name), { mode: 0o644 }));
  });
}

type Part = Pick<ListedFile, "path" | "kind">;

/** Whether the name of a file or folder is not UTF-8: it is then listed under a name that cannot be opened. */
async function isMisread(
  files: Workspace["files"],
  { path, kind }: Part,
  all: readonly Part[],
): Promise<boolean> {
  if (!basename(path).includes("\ufffd")) return false;
  if (kind === "folder") return !all.some((one) => one.path.startsWith(`${path}/`));
  try {
    await (await files.readStream(path)).close();
    return false;
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === "missing") return true;
    throw error;
  }
}

function misread(name: string): ReleaseFailure {
  return new ReleaseFailure(
    sentence("site-name-malformed", { name: basename(name), folder: dirname(name) }),
  );
}
