const BLOCKS = ["bolt_file_modifications", "modifications"];

/** The person's changes in a message, and the message without them. */
export function readBlock(message: string): { block: string | undefined; rest: string } {
  const block = blockIn(message);
  return { block, rest: block === undefined ? message : message.replace(block, () => "").trim() };
}

/**
 * The first closed block. Parsed by hand, as a pattern would take quadratic time on unclosed blocks
 * (A78).
 */
function blockIn(message: string): string | undefined {
  const found = BLOCKS.flatMap((name) => {
    const from = message.indexOf(`<${name}>`);
    const close = `</${name}>`;
    const end = from === -1 ? -1 : message.indexOf(close, from);
    return end === -1 ? [] : [{ from, end: end + close.length }];
  });
  const first = found.toSorted((a, b) => a.from - b.from)[0];
  return first && message.slice(first.from, first.end);
}
