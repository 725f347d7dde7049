/** Characters to wait for after a line of backticks, to see whether a closing tag follows. */
const BEHIND = 80;

/**
 * Removes the closing line of a fence that a continuation opened around the content: the line of backticks before a
 * closing tag.
 */
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
      // Only a part is searched: the pattern's time grows with the square of the number of blanks (A78).
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
