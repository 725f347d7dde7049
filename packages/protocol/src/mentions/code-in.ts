const FENCE = /^(?:`{3,}|~{3,})/;
const TICKS = /`+/g;

/**
 * The ranges of code in a text, in which `@` has another meaning: fenced blocks and inline code, in order. Each
 * character is read a constant number of times (A78).
 */
export function codeIn(text: string): [number, number][] {
  const found: [number, number][] = [];
  let fence: { ticks: string; from: number } | undefined;
  let at = 0;
  for (const line of text.split("\n")) {
    const end = at + line.length;
    if (fence) {
      if (closes(line, fence.ticks)) {
        found.push([fence.from, end]);
        fence = undefined;
      }
    } else {
      const ticks = end < text.length ? FENCE.exec(line)?.[0] : undefined;
      if (ticks === undefined)
        for (const [from, to] of inLine(line)) found.push([at + from, at + to]);
      else fence = { ticks, from: at };
    }
    at = end + 1;
  }
  if (fence) found.push([fence.from, text.length]);
  return found;
}

const closes = (line: string, ticks: string) =>
  line.startsWith(ticks) && /^[`~]*[ \t]*$/.test(line.slice(ticks.length));

/**
 * The ranges of inline code in a line. They end with as many ticks as they began with, or with fewer if the line has no
 * such run later.
 */
function inLine(line: string): [number, number][] {
  const runs = [...line.matchAll(TICKS)].map(({ 0: all, index }) => ({
    index,
    length: all.length,
  }));
  const byLength = new Map<number, number[]>();
  for (const [number, { length }] of [...runs.entries()].toReversed())
    if (!byLength.get(length)?.push(number)) byLength.set(length, [number]);
  const found: [number, number][] = [];
  for (let number = 0; number < runs.length;) {
    const { index, length } = runs[number]!;
    let closing: number | undefined;
    for (let ticks = length; ticks > 0 && closing === undefined; ticks--) {
      const later = byLength.get(ticks);
      while (later?.length && later.at(-1)! <= number) later.pop();
      closing = later?.at(-1);
      if (closing !== undefined) {
        const to = runs[closing]!;
        found.push([index + length - ticks, to.index + to.length]);
      }
    }
    number = (closing ?? number) + 1;
  }
  return found;
}
