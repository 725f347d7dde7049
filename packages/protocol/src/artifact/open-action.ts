import { projectPath } from "./project-path.ts";
import type { ArtifactErrorCode, ArtifactEvent } from "./types.ts";

/** What tells that an action begins; what tells that it ends is a copy of it with more. */
export type ActionOpen = Extract<ArtifactEvent, { type: "action-open" }>;

/** Operations of a file: all but the last two mean a write of the whole. */
const OPERATION = /^(?:create|update|write|modify|overwrite|replace|add|delete|remove)$/;
/** What else models call a file's path, and a command. */
const PATHS = ["path", "file_path", "file-path", "filename", "file"];
const COMMAND = /^(?:bash|sh|cmd|command|run|terminal)$/;
const KNOWN_TYPES = new Set(["file", "shell", "start", "build", "supabase"]);

interface Problem {
  code: ArtifactErrorCode;
  message: string;
  /** It must not be run. */
  refuses: boolean;
}

/** What an opening tag's attributes say about the action, and what is wrong with it. */
export function readActionHead(
  attributes: ReadonlyMap<string, string>,
  artifact: number,
  action: number,
): { head: ActionOpen; problem?: Problem } {
  const type = attributes.get("type") ?? "";
  // Most are written right; to trim costs more than to look.
  let actionType = KNOWN_TYPES.has(type) ? type : type.trim().toLowerCase();
  let operation = attributes.get("operation")?.trim().toLowerCase();
  let written = attributes.get("filepath");
  const isKnownType = KNOWN_TYPES.has(actionType);
  if (!isKnownType && COMMAND.test(actionType)) actionType = "shell";
  else if (
    !isKnownType &&
    written !== undefined &&
    (actionType === "" || OPERATION.test(actionType))
  ) {
    operation ??= actionType || undefined;
    actionType = "file";
  }
  if (operation === "remove") operation = "delete";
  if (actionType === "file" && written === undefined)
    written = PATHS.map((name) => attributes.get(name)).find((path) => path !== undefined);
  const head: ActionOpen = { type: "action-open", artifact, action, actionType };
  const refuse = (code: ArtifactErrorCode, message: string) => ({
    head,
    problem: { code, message, refuses: code !== "unknown-action-type" },
  });
  if (operation !== undefined) head.operation = operation;
  if (!KNOWN_TYPES.has(actionType)) {
    if (written !== undefined) head.filePath = written;
    return refuse("unknown-action-type", `There is no action of type "${actionType}".`);
  }
  const isMigration = operation === "migration";
  const isKnown =
    actionType === "supabase"
      ? isMigration || operation === "query"
      : actionType !== "file" || !operation || OPERATION.test(operation);
  if (!isKnown)
    return refuse("unknown-operation", `There is no ${actionType} operation "${operation ?? ""}".`);
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
