/** A call in the history. */
export interface ToolCallText {
  name: string;
  params: Readonly<Record<string, string>>;
}

/**
 * Formats calls in the tool-tag dialect; parsing them gives the same calls. In a value that
 * contains the closing tag of its own parameter, the tag's `<` is replaced by an entity.
 */
export function formatToolCalls(calls: readonly ToolCallText[]): string {
  return calls.map(formatCall).join("\n");
}

/**
 * Formats calls that were JSON, in which a file's last line has its line break, as tags, which drop
 * it.
 */
export function formatJsonCalls(calls: readonly ToolCallText[]): string {
  return formatToolCalls(
    calls.map(({ name, params: { content, ...params } }) => ({
      name,
      params:
        content === undefined ? params : { ...params, content: content.replace(/\r?\n$/, "") },
    })),
  );
}

/** Formats a call's result for the next message to the model. */
export function formatToolResult(call: ToolCallText, result: string, ok = true): string {
  const subject = call.params["path"] ?? call.params["command"];
  const about = subject === undefined ? "" : ` for '${subject.replace(/\s+/g, " ").slice(0, 200)}'`;
  return `[${call.name}${about}] ${ok ? "Result" : "Error"}:\n${result}`;
}

function formatCall({ name, params }: ToolCallText): string {
  const body = Object.entries(params).map(([param, value]) => formatParam(param, value));
  return `<${name}>\n${body.join("")}</${name}>`;
}

function formatParam(name: string, value: string): string {
  const safe = value.replaceAll(`</${name}`, `&lt;/${name}`);
  if (safe === safe.trim() && !safe.includes("\n")) return `<${name}>${safe}</${name}>\n`;
  // A carriage return before the last line break would be read as part of it.
  const end = safe.endsWith("\r") ? "\r\n" : "\n";
  return `<${name}>\n${safe}${end}</${name}>\n`;
}
