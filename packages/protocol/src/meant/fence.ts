const OPENING_FENCE = /^\s*(`{3,})[^\n`]*\n/;

/** A text without the code fence around it. No code begins with a fence; where it ends, another one may begin. */
export function withoutFence(text: string): string {
  const [opening, ticks] = OPENING_FENCE.exec(text) ?? [];
  if (opening === undefined || ticks === undefined) return text;
  const inside = text.slice(opening.length);
  const end = inside.trimEnd();
  return end === ticks || end.endsWith(`\n${ticks}`) ? end.slice(0, -ticks.length) : inside;
}
