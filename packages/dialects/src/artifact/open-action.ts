import { projectPath } from "./project-path.ts";
import type { ArtifactErrorCode, ArtifactEvent } from "./types.ts";

/** The event that opens an action; the closing event is a copy of it with more properties. */
export type ActionOpen = Extract<ArtifactEvent, { type: "action-open" }>;

/** Operations on a file: all but the last two write the complete file. */
const OPERATION = /^(?:create|update|write|modify|overwrite|replace|add|delete|remove)$/;
const KNOWN_TYPES = new Set(["file", "shell", "start", "build", "supabase"]);

const lower = (value: string | undefined) => value?.trim().toLowerCase();

interface Problem {
  code: ArtifactErrorCode;
  message: string;
  /** Whether the action must not be run. */
  refuses: boolean;
}

/** Interprets an opening tag's attributes, and reports what is wrong with them. */
export function readActionHead(
  attributes: ReadonlyMap<string, string>,
  artifact: number,
  action: number,
): [head: ActionOpen, problem?: Problem] {
  const actionType = lower(attributes.get("type")) ?? "";
  let operation = lower(attributes.get("operation"));
  const written = attributes.get("filepath");
  if (operation === "remove") operation = "delete";
  const head: ActionOpen = { type: "action-open", artifact, action, actionType };
  const refuse = (code: ArtifactErrorCode, message: string): [ActionOpen, Problem] => [
    head,
    { code, message, refuses: code !== "unknown-action-type" },
  ];
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
      : [head];
  const checked = projectPath(written);
  if (!checked.ok)
    return refuse(
      "path-refused",
      `The path ${JSON.stringify(written)} is refused: ${checked.reason}.`,
    );
  head.filePath = checked.path;
  return [head];
}
