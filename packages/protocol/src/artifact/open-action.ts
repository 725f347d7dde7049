import { projectPath } from "./project-path.ts";
import type { ArtifactErrorCode, ArtifactEvent } from "./types.ts";

/** What tells that an action begins; what tells that it ends is a copy of it with more. */
export type ActionOpen = Extract<ArtifactEvent, { type: "action-open" }>;

const KNOWN_TYPES = new Set(["file", "shell", "start", "build", "supabase"]);

/** What an opening tag's attributes say about the action, and what is wrong with it. */
export function readActionHead(
  attributes: ReadonlyMap<string, string>,
  artifact: number,
  action: number,
): { head: ActionOpen; problem?: { code: ArtifactErrorCode; message: string } } {
  const type = attributes.get("type") ?? "";
  // Most are written right; to trim costs more than to look.
  const actionType = KNOWN_TYPES.has(type) ? type : type.trim().toLowerCase();
  const operation = attributes.get("operation")?.trim().toLowerCase();
  const written = attributes.get("filepath");
  const head: ActionOpen = { type: "action-open", artifact, action, actionType };
  const refuse = (code: ArtifactErrorCode, message: string) => ({
    head,
    problem: { code, message },
  });
  if (operation !== undefined) head.operation = operation;
  if (!KNOWN_TYPES.has(actionType)) {
    if (written !== undefined) head.filePath = written;
    return refuse("unknown-action-type", `There is no action of type "${actionType}".`);
  }
  const isMigration = operation === "migration";
  if (actionType === "supabase" && !isMigration && operation !== "query")
    return refuse("unknown-action-type", `There is no supabase operation "${operation ?? ""}".`);
  if (written === undefined)
    return actionType === "file" || isMigration
      ? refuse("path-missing", `A ${actionType} action has no filePath.`)
      : { head };
  const checked = projectPath(written);
  if (!checked.ok)
    return refuse(
      "path-refused",
      `The path ${JSON.stringify(written)} is refused: ${checked.reason}.`,
    );
  head.filePath = checked.path;
  return { head };
}
