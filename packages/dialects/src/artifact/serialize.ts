import { encodeAttribute } from "./attributes.ts";

/** An action as history holds it. */
export interface ActionText {
  actionType: string;
  filePath?: string;
  operation?: string;
  content: string;
}

/** An artifact as history holds it. */
export interface ArtifactText {
  id: string;
  title: string;
  artifactType?: string;
  actions: readonly ActionText[];
}

/**
 * Writes an artifact; reading it gives the same actions, up to what the dialect itself does not keep: white space at
 * the end of a file is one line break, commands are trimmed. Content that holds the closing tag cannot be written
 * exactly: there the tag's `<` becomes an entity.
 */
export function formatArtifact({ id, title, artifactType, actions }: ArtifactText): string {
  const head = attributes({ id, title, type: artifactType });
  return `<boltArtifact${head}>\n${actions.map(formatAction).join("")}</boltArtifact>`;
}

/** Writes what an action gave back, for the next message to the model. */
export function formatActionResult(
  action: Omit<ActionText, "content">,
  output: string,
  ok = true,
): string {
  const { actionType: type, filePath, operation } = action;
  const head = attributes({ type, filePath, operation, status: ok ? "ok" : "error" });
  const safe = output.replace(/<(?=\/boltActionResult)/gi, "&lt;");
  return `<boltActionResult${head}>\n${safe}\n</boltActionResult>`;
}

function formatAction({ actionType, filePath, operation, content }: ActionText): string {
  const head = attributes({ type: actionType, filePath, operation });
  const safe = content.replace(/<(?=\/\s*boltAction\s*>)/gi, "&lt;");
  if (actionType !== "file") return `<boltAction${head}>${safe.trim()}</boltAction>\n`;
  const body = safe === "" || safe.endsWith("\n") ? safe : `${safe}\n`;
  return `<boltAction${head}>\n${body}</boltAction>\n`;
}

function attributes(values: Record<string, string | undefined>): string {
  return Object.entries(values)
    .map(([name, value]) => (value === undefined ? "" : ` ${name}="${encodeAttribute(value)}"`))
    .join("");
}
