import { isProtectedPath } from "@treadle/protocol/project-path";
import type { ProjectPath } from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";
import { hooksVersion, isManifest } from "./hooks-changed.ts";
import { isPlainSettings } from "./plain-settings.ts";

/** Such files that are looked at, and bytes of one: what is beyond is no rule that anybody wrote. */
const LISTED = 20_000;
const BYTES = 1_000_000;
/** Files that are read at once. */
const AT_ONCE = 16;

/** A file as it stands; without bytes where it is none (a link), or too long to be kept or put back. */
export interface FileVersion {
  version: string;
  bytes?: Uint8Array;
}

/** Whether this content of a file was agreed to: by the person, or because it came with the project. */
export type IsAccepted = (path: ProjectPath, version: string) => boolean;

/**
 * Files that something outside the sandbox obeys, and every package.json, as they stand. Rejects as the workspace does.
 * @returns `more`: there are more files than are looked at
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

/** @param otherwise version of what cannot be read */
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

/** Empty where there is none, or it cannot be read. */
export const textOf = (standing: FileVersion | undefined) =>
  standing?.bytes ? decoder.decode(standing.bytes) : "";

/**
 * By what it is known whether a file is obeyed otherwise than before: its content; of a package.json the scripts alone
 * that run unasked. Empty where there is nothing to obey, as in a package manager's plain settings.
 */
export function protectedVersion(path: ProjectPath, standing: FileVersion): string {
  if (standing.bytes && isPlainSettings(path, textOf(standing))) return "";
  return isProtectedPath(path) || !standing.bytes
    ? standing.version
    : hooksVersion(textOf(standing));
}

/** Whether something is obeyed in a file as it stands that nobody agreed to. */
export function isUnaccepted(
  path: ProjectPath,
  standing: FileVersion,
  isAccepted: IsAccepted = () => true,
): boolean {
  if (!isProtectedPath(path) && !isManifest(path)) return false;
  const version = protectedVersion(path, standing);
  return version !== "" && !isAccepted(path, version);
}

/** `protectedVersion` of each file where it is not empty. */
export async function protectedVersions(
  workspace: Workspace,
): Promise<{ versions: Map<ProjectPath, string>; more: boolean }> {
  const { files, more } = await readProtectedFiles(workspace);
  const all = [...files].map(([path, file]) => [path, protectedVersion(path, file)] as const);
  return { versions: new Map(all.filter(([, version]) => version !== "")), more };
}
