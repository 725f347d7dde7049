import type { Part, Script, Step } from "../script/types.ts";
import { applyCall, filesBefore, type Call } from "./script-files.ts";

/** Text that identifies a prompt that teaches the tags. */
const TAUGHT = "</edit_file>";

/** Whether a prompt teaches a model without tools to write tags. */
export function wasTaughtTags(prompt: string): boolean {
  return prompt.includes(TAUGHT);
}

/**
 * Converts parts for a model that writes its tools as tags in the text. Edits consist of whole
 * lines, as this dialect requires. Broken arguments are shown unchanged.
 */
export function asTags(script: Script, step: Step | undefined, parts: Part[]): Part[] {
  const files = filesBefore(script, step);
  const rendered: Part[] = [];
  let text: string[] = [];
  const endText = (): void => {
    if (text.length > 0) rendered.push({ type: "say", text: text.join("\n") });
    text = [];
  };
  for (const part of parts) {
    if (part.type === "say") text.push(part.text);
    else if (part.type === "call") {
      text.push(tool(part, files));
      applyCall(part, files);
    } else if (part.type === "raw-call") text.push(`<${part.tool}>\n${part.json}\n</${part.tool}>`);
    else {
      // A break with `after` counts the rendered characters so far: keep the order.
      endText();
      rendered.push(part);
    }
  }
  endText();
  return rendered;
}

function tool({ tool: name, input }: Call, files: ReadonlyMap<string, string>): string {
  const content = files.get(String(input["path"])) ?? "";
  const params = Object.entries(input).map(
    ([param, value]) => `<${param}>\n${written(value, content)}\n</${param}>`,
  );
  return [`<${name}>`, ...params, `</${name}>`].join("\n");
}

function written(value: unknown, content: string): string {
  // The line break before the closing tag is the file's last one.
  if (typeof value === "string") return value.replace(/\n$/, "");
  if (!Array.isArray(value)) return JSON.stringify(value);
  return (value as { old: string; new: string }[])
    .map((edit) => {
      const { before, after } = restOfLines(content, edit.old);
      const lines = (text: string) => {
        const combined = before + text + after;
        return combined === "" ? [] : combined.replace(/\n$/, "").split("\n");
      };
      const search = lines(edit.old);
      return ["------- SEARCH", ...search, "=======", ...lines(edit.new), "+++++++ REPLACE"].join(
        "\n",
      );
    })
    .join("\n");
}

/** The rest of the lines around a passage. */
function restOfLines(content: string, passage: string): { before: string; after: string } {
  const at = content.indexOf(passage);
  if (at === -1) return { before: "", after: "" };
  const start = content.lastIndexOf("\n", at - 1) + 1;
  const end = at + passage.length;
  const next = passage.endsWith("\n") ? end : content.indexOf("\n", end);
  return {
    before: content.slice(at === 0 ? 0 : start, at),
    after: content.slice(end, next === -1 ? undefined : next),
  };
}
