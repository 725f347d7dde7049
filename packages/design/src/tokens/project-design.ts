import { FILES_AT_ONCE, someAtOnce } from "@treadle/common";
import { offThread, ParserFailure } from "@treadle/parsing";
import type { ProjectDesign, ProjectPath, TokenEdit } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { WorkspaceError, type Workspace } from "@treadle/workspace";
import { canHoldStyles } from "../sheets/style-files.ts";
import type { parse as edit, EditRefusal } from "./edit-design.parser.ts";
import type { parse as read } from "./read-design.parser.ts";

/** Maximum numbers of a project's files that are listed and that are read, and maximum bytes of one. */
const MAX_LISTED = 2_000;
const MAX_FILES = 80;
const MAX_FILE_BYTES = 256 * 1024;
/** Time limit for parsing all style sheets of a project, in milliseconds. */
const LIMIT_MS = 10_000;

const readOffThread = offThread<typeof read>(import.meta.url, "./read-design.parser.ts", {
  limitMs: LIMIT_MS,
  isCached: true,
});
const editOffThread = offThread<typeof edit>(import.meta.url, "./edit-design.parser.ts", {
  limitMs: LIMIT_MS,
});

interface ReadFile {
  path: ProjectPath;
  version: string;
  text: string;
}

/** The lane of a parser call (usually the project's id), and the signal that aborts it. */
export interface DesignOptions {
  lane: string;
  signal?: AbortSignal | undefined;
}

/**
 * Reads the design tokens of a project.
 * @param listed the project's files with their sizes, if they are known
 * @returns undefined if the style sheets cannot be parsed in time; rejects as the workspace does
 */
export async function readProjectDesign(
  workspace: Workspace,
  options: DesignOptions,
  listed?: readonly { path: ProjectPath; size: number }[],
): Promise<ProjectDesign | undefined> {
  const files = await readStyleFiles(workspace, listed);
  const versions = new Map<string, ReadFile>(files.map((file) => [file.path, file]));
  const design = await unlessUnreadable(readOffThread(options, files.map(plain)));
  if (!design) return undefined;
  return {
    tokens: design.tokens,
    modes: design.modes,
    files: design.files.flatMap((path) => {
      const file = versions.get(path);
      return file ? [{ path: file.path, version: file.version }] : [];
    }),
    stylesheet: design.stylesheet === undefined ? undefined : toProjectPath(design.stylesheet),
  };
}

/** A file to be written. `version`: the version that it must still have; undefined if it must not exist. */
export interface DesignWrite {
  path: ProjectPath;
  text: string;
  version: string | undefined;
}

/** Plans how tokens are written, without writing. Returns undefined and rejects like `readProjectDesign`. */
export async function planDesignEdits(
  workspace: Workspace,
  edits: readonly TokenEdit[],
  options: DesignOptions,
): Promise<{ writes: DesignWrite[] } | { refused: EditRefusal } | undefined> {
  const files = await readStyleFiles(workspace);
  const edited = await unlessUnreadable(editOffThread(options, files.map(plain), edits));
  if (!edited || "refused" in edited) return edited;
  const versions = new Map<string, string>(files.map(({ path, version }) => [path, version]));
  return {
    writes: edited.files.map(({ path, text }) => ({
      path: toProjectPath(path),
      text,
      version: versions.get(path),
    })),
  };
}

const unlessUnreadable = <Result>(parsing: Promise<Result>): Promise<Result | undefined> =>
  parsing.catch((error: unknown) => {
    if (error instanceof ParserFailure && error.code !== "aborted") return undefined;
    throw error;
  });

const plain = ({ path, text }: ReadFile) => ({ path, text });

async function readStyleFiles(
  { files }: Workspace,
  listed?: readonly { path: ProjectPath; size: number }[],
): Promise<ReadFile[]> {
  const all =
    listed ?? (await files.list({ limit: MAX_LISTED })).files.filter(({ kind }) => kind === "file");
  const paths = all
    .filter(({ path, size }) => canHoldStyles(path) && size <= MAX_FILE_BYTES)
    .map(({ path }) => path)
    .slice(0, MAX_FILES);
  const read = new Map<ProjectPath, ReadFile>();
  await someAtOnce(paths, FILES_AT_ONCE, async (path) => {
    try {
      const { bytes, version } = await files.read(path, { limit: MAX_FILE_BYTES });
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
      read.set(path, { path, version, text });
    } catch (error) {
      // The file has been removed or has grown, or has another encoding: it is left out, and never written.
      const isFile =
        error instanceof WorkspaceError && !["stopped", "sandbox"].includes(error.code);
      if (!isFile && !(error instanceof TypeError)) throw error;
    }
  });
  return paths.flatMap((path) => read.get(path) ?? []);
}
