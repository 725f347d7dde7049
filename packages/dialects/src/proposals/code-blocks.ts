/** A fenced block of code in a text. */
export interface CodeBlock {
  /** The text after the opening ticks, trimmed. */
  info: string;
  /** The last non-blank line before it. */
  before: string;
  content: string;
  /** Whether a line closes it. */
  closed: boolean;
}

const FENCE = /^[ \t]{0,200}(`{3,}|~{3,})([^`\n]*)$/;

/** The fenced code blocks of a text, in order. Takes linear time. */
export function codeBlocks(text: string): CodeBlock[] {
  const found: CodeBlock[] = [];
  let open: { block: CodeBlock; mark: string; lines: string[] } | undefined;
  let before = "";
  for (const line of text.split("\n")) {
    const [, mark = "", info = ""] = FENCE.exec(line) ?? [];
    if (open) {
      if (!mark.startsWith(open.mark) || info.trim() !== "") {
        open.lines.push(line);
        continue;
      }
      open.block.closed = true;
      open.block.content = open.lines.join("\n");
      before = "";
      open = undefined;
    } else if (mark === "") {
      if (line.trim() !== "") before = line;
    } else {
      open = { block: { info: info.trim(), before, content: "", closed: false }, mark, lines: [] };
      found.push(open.block);
    }
  }
  if (open) open.block.content = open.lines.join("\n");
  return found;
}
