/** Characters behind a line of backticks that are waited for, to see whether a tag closes there. */
const BEHIND = 80;

/** Leaves out the line that ends a fence, where that was opened around a continuation: the one before a closing tag. */
export function createClosingFence(ticks: number): { write(text: string): string; end(): string } {
  const line = new RegExp(`(^|\\n)[ \\t]*\`{${ticks}}[ \\t]*\\n(?=\\s*</)`);
  const mayBe = new RegExp(`(?:^|\\n)[ \\t]*\`{0,${ticks}}[ \\t]*(?:\\n\\s*<?)?$`);
  let held = "";
  let isDone = false;
  const give = () => {
    const text = held;
    held = "";
    return text;
  };
  return {
    write(text) {
      held += text;
      if (isDone) return give();
      if (line.test(held)) {
        isDone = true;
        held = held.replace(line, "$1");
        return give();
      }
      // A part of it: the pattern takes the square of many blanks (A78).
      const end = held.slice(-BEHIND - 1);
      const open = mayBe.exec(end);
      if (!open || end.length - open.index > BEHIND) return give();
      const at = held.length - end.length + open.index;
      const sure = held.slice(0, at);
      held = held.slice(at);
      return sure;
    },
    end: give,
  };
}
