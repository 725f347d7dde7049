import { encodeAttribute } from "./attributes.ts";

/** An action in the history. */
export interface ActionText {
  actionType: string;
  filePath?: string;
  operation?: string;
  content: string;
}

/** An artifact in the history. */
export interface ArtifactText {
  id: string;
  title: string;
  artifactType?: string;
  actions: readonly ActionText[];
}

/**
 * Formats an artifact; parsing it gives the same actions, except for what the dialect does not
 * preserve: white space at the end of a file becomes one line break, and commands are trimmed. In
 * content that contains the closing tag, the tag's `<` is replaced by an entity.
 */
export function formatArtifact({ id, title, artifactType, actions }: ArtifactText): string {
  const head = attributes({ id, title, type: artifactType });
  return `<boltArtifact${head}>\n${actions.map(formatAction).join("")}</boltArtifact>`;
}

/** Formats an action's result for the next message to the model. */
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
