import { isEscaped, withoutEntities } from "./entities.ts";
import { withoutCdata, withoutFence } from "./fence.ts";

const OPENING = /\s*<(command|cmd|code|bash|shell|sh)>/iy;
/** What may stand behind a closing tag: the next one, or the end. */
const BEHIND = /\s*(?:<(?:command|cmd|code|bash|shell|sh)>|$)/iy;

/**
 * A command without what models put around it: CDATA, a code fence, backticks, a tag of its own, the prompt of a shell, characters
 * that are escaped as for a page. Each would make another command of it, or none.
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
 * What stands in tags where a text is nothing but tagged commands; undefined where it is not. By hand: a pattern for it
 * takes time without end over tags that do not fit (A78).
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
