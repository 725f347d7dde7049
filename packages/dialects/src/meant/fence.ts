const OPENING_FENCE = /^\s*(`{3,}|~{3,}(?!~))[^\n`]*\n/;
const CDATA = "<![CDATA[";

/**
 * Removes the code fence around a text. No code begins with a fence, but other text may follow it.
 * The last line is removed if it is the only fence left.
 */
export function withoutFence(text: string): string {
  const [opening, ticks] = OPENING_FENCE.exec(text) ?? [];
  if (opening === undefined || ticks === undefined) {
    const [end] = /(?<=\n)```\s*$/.exec(text.slice(-16)) ?? [];
    return end !== undefined && text.indexOf("```") === text.length - end.length
      ? text.slice(0, -end.length)
      : text;
  }
  const inside = text.slice(opening.length);
  const end = inside.trimEnd();
  return end === ticks || end.endsWith(`\n${ticks}`) ? end.slice(0, -ticks.length) : inside;
}

/** Removes CDATA markup around a text, which has no other meaning there. */
export function withoutCdata(text: string): string {
  const bare = text.trim();
  if (!bare.startsWith(CDATA) || !bare.endsWith("]]>")) return text;
  const inside = bare.slice(CDATA.length, -3).replace(/^\r?\n|\r?\n$/g, "");
  return text.endsWith("\n") && inside !== "" ? `${inside}\n` : inside;
}
