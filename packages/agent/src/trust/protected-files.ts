import { isProtectedPath } from "@treadle/protocol/project-path";
import type { ProjectPath } from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";
import { hooksVersion, isManifest } from "./hooks-changed.ts";
import { isPlainSettings } from "./plain-settings.ts";

/** Maximum number of protected files, and bytes of one; anything beyond was not written by a person. */
const LISTED = 20_000;
const BYTES = 1_000_000;
/** Number of files that are read at the same time. */
const AT_ONCE = 16;

/**
 * A version of a file; without bytes if it is not a regular file (a link), or too long to be saved
 * or restored.
 */
export interface FileVersion {
  version: string;
  bytes?: Uint8Array;
}

/**
 * Whether this version of a file was accepted: by the person, or because it came with the project.
 */
export type IsAccepted = (path: ProjectPath, version: string) => boolean;

/**
 * Reads the files that programs outside the sandbox obey, and every package.json. Rejects if the
 * workspace fails.
 * @returns `more`: whether there are more files than the limit
 */
export async function readProtectedFiles(
  workspace: Workspace,
): Promise<{ files: Map<ProjectPath, FileVersion>; more: boolean }> {
  const named = await Promise.all(
    (["obeyed", "manifests"] as const).map((only) => workspace.files.list({ limit: LISTED, only })),
  );
  const listed = named.flatMap(({ files }) => files);
  const more = named.some((one) => one.more);
  const found = new Map<ProjectPath, FileVersion>();
  for (let at = 0; at < listed.length; at += AT_ONCE) {
    const some = listed.slice(at, at + AT_ONCE);
    const read = await Promise.all(
      some.map(({ path, kind, size }) => readFileVersion(workspace, path, `(${kind} ${size})`)),
    );
    for (const [index, { path }] of some.entries()) {
      const standing = read[index];
      if (standing) found.set(path, standing);
    }
  }
  return { files: found, more };
}

/** Reads a version of a file. @param otherwise the version to return if the file cannot be read */
export async function readFileVersion(
  { files }: Workspace,
  path: ProjectPath,
  otherwise: string,
): Promise<FileVersion> {
  try {
    return await files.read(path, { limit: BYTES });
  } catch {
    return { version: otherwise };
  }
}

const decoder = new TextDecoder();

/** The text of a version; empty if the file does not exist or cannot be read. */
export const textOf = (standing: FileVersion | undefined) =>
  standing?.bytes ? decoder.decode(standing.bytes) : "";

/**
 * A digest of the obeyed part of a file: its content; for a package.json only the install scripts.
 * Empty if nothing is obeyed, as in a package manager's plain settings.
 */
export function protectedVersion(path: ProjectPath, standing: FileVersion): string {
  if (standing.bytes && isPlainSettings(path, textOf(standing))) return "";
  return isProtectedPath(path) || !standing.bytes
    ? standing.version
    : hooksVersion(textOf(standing));
}

/** Whether the file has an obeyed part that nobody accepted. */
export function isUnaccepted(
  path: ProjectPath,
  standing: FileVersion,
  isAccepted: IsAccepted = () => true,
): boolean {
  if (!isProtectedPath(path) && !isManifest(path)) return false;
  const version = protectedVersion(path, standing);
  return version !== "" && !isAccepted(path, version);
}

/** The `protectedVersion` of each file that has a protected part. */
export async function protectedVersions(
  workspace: Workspace,
): Promise<{ versions: Map<ProjectPath, string>; more: boolean }> {
  const { files, more } = await readProtectedFiles(workspace);
  const all = [...files].map(([path, file]) => [path, protectedVersion(path, file)] as const);
  return { versions: new Map(all.filter(([, version]) => version !== "")), more };
}
