import { isEscaped, withoutEntities } from "./entities.ts";
import { withoutCdata, withoutFence } from "./fence.ts";

const OPENING = /\s*<(command|cmd|code|bash|shell|sh)>/iy;
/** Matches what may follow a closing tag: another opening tag, or the end of the text. */
const BEHIND = /\s*(?:<(?:command|cmd|code|bash|shell|sh)>|$)/iy;

/**
 * Removes what models put around a command: CDATA, a code fence, backticks, a tag of its own, a
 * shell prompt, HTML escapes. Each would break the command or change it.
 */
export function meantCommand(written: string): string {
  let text = withoutFence(withoutCdata(written)).trim();
  const tagged = taggedCommands(text);
  if (tagged) text = tagged.map((one) => withoutFence(one).trim()).join("\n");
  const [, inTicks] = /^`([^`\n]+)`$/.exec(text) ?? [];
  if (inTicks !== undefined) text = inTicks.trim();
  const lines = text.split("\n");
  if (lines.every((line) => line.trim() === "" || /^\s*\$ \S/.test(line)))
    text = lines.map((line) => line.replace(/^\s*\$ /, "")).join("\n");
  return isEscaped(text) ? withoutEntities(text) : text;
}

/**
 * The contents of tags in a text that consists only of tagged commands; undefined for any other.
 * Parsed by hand, as a pattern would backtrack exponentially over mismatched tags (A78).
 */
function taggedCommands(text: string): string[] | undefined {
  if (!text.startsWith("<")) return undefined;
  const low = text.toLowerCase();
  const found: string[] = [];
  for (let at = 0; at < text.length;) {
    OPENING.lastIndex = at;
    const opening = OPENING.exec(text);
    if (!opening) return text.slice(at).trim() === "" && found.length > 0 ? found : undefined;
    const from = at + opening[0].length;
    const close = `</${opening[1]!.toLowerCase()}>`;
    let end = low.indexOf(close, from);
    while (end !== -1 && !endsAt(text, end + close.length)) end = low.indexOf(close, end + 1);
    if (end === -1) return undefined;
    found.push(text.slice(from, end));
    at = end + close.length;
  }
  return found.length > 0 ? found : undefined;
}

function endsAt(text: string, at: number): boolean {
  BEHIND.lastIndex = at;
  return BEHIND.test(text);
}
