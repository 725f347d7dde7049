import { isProtectedPath, movedPath } from "@treadle/protocol/project-path";
import type { ApprovalQuestion, ProjectPath } from "@treadle/protocol";
import { WorkspaceError, type Workspace } from "@treadle/workspace";
import { clipMiddle } from "../text/clip.ts";
import { hooksChanged, hooksVersion, isManifest } from "./hooks-changed.ts";
import { isPlainSettings } from "./plain-settings.ts";
import { readFileVersion, textOf, type IsAccepted } from "./protected-files.ts";

/** Maximum number of files examined in a folder; a larger one needs approval. */
const LISTED = 2_000;
/** Maximum number of files whose text is shown, and characters of each. */
const SHOWN = 5;
const TEXT = 4_000;

/**
 * Files that become protected because a file or a folder is renamed: programs outside the sandbox obey them by name.
 */
export interface BecomesProtected {
  /** New paths of files that programs obey by name. */
  paths: ProjectPath[];
  /** New paths of each package.json that gets an install script. */
  manifests: ProjectPath[];
  /**
   * Whether the folder may hold files that were not examined: too many, or build output, which is
   * not listed.
   */
  more: boolean;
  shown: NonNullable<ApprovalQuestion["shown"]>;
  /** The versions of all these files. */
  versions: string[];
}

/**
 * Finds which files a rename makes protected: its arguments name two paths and say nothing about
 * the content (A24).
 * @param standing the text of a package.json that the person last accepted, if something may have
 * changed it since
 */
export async function becomesProtected(
  workspace: Workspace,
  { from, to }: { from: ProjectPath; to: ProjectPath },
  standing: (path: ProjectPath) => string | undefined,
  isAccepted: IsAccepted,
): Promise<BecomesProtected> {
  const { files, more } = await workspace.files
    .list({ under: from, limit: LISTED })
    .catch(() => ({ files: [], more: false }));
  const inside = files.filter(({ path, kind }) => kind !== "folder" && path.startsWith(`${from}/`));
  const moved = inside.length > 0 ? inside.map(({ path }) => path) : [from];
  const unlisted = inside.length === 0 && (await isFolder(workspace, from));
  const found: BecomesProtected = {
    paths: [],
    manifests: [],
    more: more || unlisted,
    shown: [],
    versions: [],
  };
  for (const path of moved) {
    const target = movedPath(path, from, to);
    const isProtected = isProtectedPath(target);
    if (!isProtected && !isManifest(target)) continue;
    const file = await readFileVersion(workspace, path, "");
    const text = textOf(file);
    if (isProtected && file.bytes && isPlainSettings(target, text)) continue;
    if (isProtected) found.paths.push(target);
    else if (!file.bytes || addsHooks(path, text)) found.manifests.push(target);
    else continue;
    found.versions.push(file.version);
    if (found.shown.length < SHOWN)
      found.shown.push({
        path: target,
        text: file.bytes ? clipMiddle(text, TEXT, "not all of it is shown") : "(cannot be read)",
      });
  }
  return found;

  /** Scripts accepted under another name are not accepted under this one. */
  function addsHooks(path: ProjectPath, text: string): boolean {
    const known = isManifest(path) ? (standing(path) ?? text) : "";
    const hooks = hooksVersion(known);
    return hooksChanged(hooks === "" || isAccepted(path, hooks) ? known : "", text);
  }
}

const isFolder = async ({ files }: Workspace, path: ProjectPath) =>
  files.read(path, { limit: 1 }).then(
    () => false,
    (error: unknown) => error instanceof WorkspaceError && error.code === "not-a-file",
  );
