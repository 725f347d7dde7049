import { projectPath } from "./project-path.ts";
import type { ActionHead, ArtifactErrorCode } from "./types.ts";

const KNOWN_TYPES = new Set(["file", "shell", "start", "build", "supabase"]);

/** What an opening tag's attributes say about the action, and what is wrong with it. */
export function readActionHead(
  attributes: ReadonlyMap<string, string>,
  artifact: number,
  action: number,
): { head: ActionHead; problem?: { code: ArtifactErrorCode; message: string } } {
  const actionType = (attributes.get("type") ?? "").trim().toLowerCase();
  const operation = attributes.get("operation")?.trim().toLowerCase();
  const written = attributes.get("filepath");
  const head: ActionHead = { artifact, action, actionType };
  if (operation !== undefined) head.operation = operation;
  if (!KNOWN_TYPES.has(actionType)) {
    if (written !== undefined) head.filePath = written;
    const message = actionType
      ? `There is no action of type ${JSON.stringify(actionType)}.`
      : "An action has no type.";
    return { head, problem: { code: "unknown-action-type", message } };
  }
  if (actionType === "supabase" && operation !== "migration" && operation !== "query")
    return {
      head,
      problem: {
        code: "unknown-action-type",
        message: `There is no supabase operation ${JSON.stringify(operation ?? "")}.`,
      },
    };
  const needsPath = actionType === "file" || operation === "migration";
  if (written === undefined) {
    if (!needsPath) return { head };
    return {
      head,
      problem: { code: "path-missing", message: `A ${actionType} action has no filePath.` },
    };
  }
  const checked = projectPath(written);
  if (!checked.ok)
    return {
      head,
      problem: {
        code: "path-refused",
        message: `The path ${JSON.stringify(written)} is refused: ${checked.reason}.`,
      },
    };
  head.filePath = checked.path;
  return { head };
}
