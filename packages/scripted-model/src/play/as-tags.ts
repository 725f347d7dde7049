import type { Part } from "../script/types.ts";

/** What a prompt that teaches the tags shows. */
const TAUGHT = "</edit_file>";

/** Whether a model without tools was taught to write them as tags. */
export function wasTaughtTags(prompt: string): boolean {
  return prompt.includes(TAUGHT);
}

/** The same parts for a model that writes its tools as tags in the text. Broken arguments are shown as they are. */
export function asTags(parts: Part[]): Part[] {
  const rendered: Part[] = [];
  let text: string[] = [];
  const endText = (): void => {
    if (text.length > 0) rendered.push({ type: "say", text: text.join("\n") });
    text = [];
  };
  for (const part of parts) {
    if (part.type === "say") text.push(part.text);
    else if (part.type === "call") text.push(tool(part.tool, part.input));
    else if (part.type === "raw-call") text.push(`<${part.tool}>\n${part.json}\n</${part.tool}>`);
    else {
      // A break with `after` counts the characters of what was rendered so far and goes on counting: keep the order.
      endText();
      rendered.push(part);
    }
  }
  endText();
  return rendered;
}

function tool(name: string, input: Record<string, unknown>): string {
  const params = Object.entries(input).map(
    ([param, value]) => `<${param}>\n${written(value)}\n</${param}>`,
  );
  return [`<${name}>`, ...params, `</${name}>`].join("\n");
}

function written(value: unknown): string {
  // The line break before the closing tag is the file's last one.
  if (typeof value === "string") return value.replace(/\n$/, "");
  if (!Array.isArray(value)) return JSON.stringify(value);
  return (value as { old?: string; new?: string }[])
    .map((edit) =>
      ["------- SEARCH", ...lines(edit.old), "=======", ...lines(edit.new), "+++++++ REPLACE"].join(
        "\n",
      ),
    )
    .join("\n");
}

const lines = (text = "") => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));
