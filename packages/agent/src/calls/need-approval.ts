import { isProtectedPath, readProjectPath } from "@treadle/protocol/project-path";
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { applyMeantEdits } from "@treadle/dialects/edits";
import type { Edit } from "@treadle/dialects";
import type { ApprovalPolicy, ApprovalSubject, ProjectPath } from "@treadle/protocol";
import type { Workspace, WorkspaceError } from "@treadle/workspace";
import { becomesProtected, type BecomesProtected } from "../trust/becomes-protected.ts";
import { hooksChanged, hooksVersion, isManifest } from "../trust/hooks-changed.ts";
import { isPlainSettings } from "../trust/plain-settings.ts";
import { isUnaccepted, readFileVersion, type IsAccepted } from "../trust/protected-files.ts";

export interface Need {
  /** The reason for the question, as one sentence. */
  why: Sentence;
  mayRemember: boolean;
  /** For a rename: the text of the protected file that would take effect. */
  moved?: Pick<BecomesProtected, "shown">;
  /**
   * Versions of the files whose content the call does not state, such as that of an edit: an approval holds for these
   * versions only.
   */
  versions?: string[];
}

/**
 * Whether a call needs approval, and why. The text of a command is never interpreted: it is compared as a whole with
 * the allowed commands (A35). The model's own request for approval can only make the decision stricter.
 * @param standing the text of a package.json as the person last knew it, if it may have changed since
 * @param isAccepted whether the person accepted a version of such a file
 */
export async function needApproval(
  subject: ApprovalSubject,
  input: Record<string, unknown>,
  policy: ApprovalPolicy,
  workspace: Workspace,
  standing?: (path: ProjectPath) => string | undefined,
  isAccepted: IsAccepted = () => true,
): Promise<Need | undefined> {
  if (subject.kind === "write" || subject.kind === "remove") {
    const [from, to] = [input["from"], input["to"]].map(pathOf);
    const moved =
      from !== undefined && to !== undefined
        ? await becomesProtected(workspace, { from, to }, standing ?? (() => undefined), isAccepted)
        : undefined;
    const shown = {
      moved: moved && moved.shown.length > 0 ? moved : undefined,
      versions:
        moved || input["edits"] !== undefined
          ? (moved?.versions ?? (await versionsOf(subject, workspace)))
          : undefined,
    };
    const protectedPath = (await firstProtected(subject, input, workspace)) ?? moved?.paths[0];
    if (protectedPath !== undefined)
      return {
        why: sentence(
          (await takesOver(subject, input, workspace, isAccepted)) ? "obeyed-unseen" : "obeyed",
          { path: protectedPath },
        ),
        mayRemember: false,
        ...shown,
      };
    if (moved?.more)
      return {
        why: sentence("unlooked"),
        mayRemember: false,
      };
    if (
      (moved && moved.manifests.length > 0) ||
      (await addsHooks(subject, input, workspace, standing, isAccepted))
    )
      return {
        why: sentence("install-script"),
        mayRemember: false,
        ...shown,
      };
  }
  if (subject.kind === "read" && input["requires_approval"] !== true) return undefined;
  if (policy.always.some((allowed) => same(allowed, subject))) return undefined;
  if (input["requires_approval"] === true)
    return { why: sentence("model-wants"), mayRemember: true };
  if (subject.kind === "outside") return { why: sentence("leaves"), mayRemember: true };
  if (policy.mode === "auto") return undefined;
  if (subject.kind === "command") return { why: sentence("commands-asked"), mayRemember: true };
  return policy.mode === "ask" ? { why: sentence("changes-asked"), mayRemember: true } : undefined;
}

/** The first written or removed path whose content is protected, before the change or after it. */
async function firstProtected(
  { what }: ApprovalSubject,
  input: Record<string, unknown>,
  workspace: Workspace,
): Promise<string | undefined> {
  for (const written of what.filter(isProtectedPath)) {
    const path = pathOf(written);
    // Not a valid project path, but written like a protected one: the tool refuses it.
    if (path === undefined) return written;
    const { content, edits, from, to } = input;
    // A renamed file has the same content at its new path.
    const now = await contentOf(workspace, path === to ? (pathOf(from) ?? path) : path);
    if (now === undefined) return path;
    const fullText = typeof content === "string" ? content : undefined;
    const after = Array.isArray(edits)
      ? applyMeantEdits(now, edits as Edit[]).content
      : (fullText ?? now);
    if ((now === "" && fullText === undefined) || !isPlainSettings(path, now)) return path;
    if (!isPlainSettings(path, after)) return path;
  }
  return undefined;
}

/** Whether the call keeps content of a protected file that nobody has accepted. */
async function takesOver(
  { what }: ApprovalSubject,
  { edits, from }: Record<string, unknown>,
  workspace: Workspace,
  isAccepted: IsAccepted,
): Promise<boolean> {
  if (edits === undefined && from === undefined) return false;
  for (const path of pathsOf(what).filter(isProtectedPath)) {
    if (isUnaccepted(path, await readFileVersion(workspace, path, ""), isAccepted)) return true;
  }
  return false;
}

function same(a: ApprovalSubject, b: ApprovalSubject): boolean {
  return (
    a.kind === b.kind &&
    b.what.length > 0 &&
    a.what.length === b.what.length &&
    a.what.every((what, index) => what === b.what[index])
  );
}

/** Whether a write or an edit of package.json changes the scripts that an install runs. */
async function addsHooks(
  { what }: ApprovalSubject,
  { content, edits }: Record<string, unknown>,
  workspace: Workspace,
  standing: (path: ProjectPath) => string | undefined = () => undefined,
  isAccepted: IsAccepted,
): Promise<boolean> {
  const path = pathOf(what[0]);
  if (what.length !== 1 || path === undefined || !isManifest(path)) return false;
  const now = await textOf(workspace, path);
  const known = standing(path) ?? now;
  const hooks = hooksVersion(known);
  // Scripts that a program of the project added between turns do not count as existing.
  const before = hooks === "" || isAccepted(path, hooks) ? known : "";
  if (typeof content === "string") return hooksChanged(before, content);
  if (!Array.isArray(edits)) return false;
  const edited = applyMeantEdits(now, edits as Edit[]);
  return hooksChanged(before, edited.content);
}

/** The path, or undefined if it is invalid: the tool itself refuses it then. */
function pathOf(written: unknown): ProjectPath | undefined {
  const read = typeof written === "string" ? readProjectPath(written) : undefined;
  return read?.ok ? read.path : undefined;
}

const pathsOf = (what: readonly string[]) => what.map(pathOf).filter((path) => path !== undefined);

/** The versions of a call's files, since the question shows an edit without the text around it. */
const versionsOf = ({ what }: ApprovalSubject, workspace: Workspace) =>
  Promise.all(
    pathsOf(what).map(async (path) => (await readFileVersion(workspace, path, "")).version),
  );

/** The file's text; empty if it is missing or unreadable, which the tool itself reports. */
const textOf = async (workspace: Workspace, path: ProjectPath) =>
  (await contentOf(workspace, path)) ?? "";

/** The content of a file; empty if the file is missing, undefined if it is unreadable. */
async function contentOf(workspace: Workspace, path: ProjectPath): Promise<string | undefined> {
  try {
    return new TextDecoder().decode((await workspace.files.read(path)).bytes);
  } catch (error) {
    return (error as WorkspaceError).code === "missing" ? "" : undefined;
  }
}
