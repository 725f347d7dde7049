import { isEscaped, withoutEntities } from "./entities.ts";
import { withoutCdata, withoutFence } from "./fence.ts";

const TAGGED = /^(?:\s*<(command|cmd)>[^]*?<\/\1>)+\s*$/i;
const TAG = /<(command|cmd)>([^]*?)<\/\1>/gi;

/**
 * A command without what models put around it: CDATA, a code fence, backticks, a tag of its own, the prompt of a shell, characters
 * that are escaped as for a page. Each would make another command of it, or none.
 */
export function meantCommand(written: string): string {
  let text = withoutFence(withoutCdata(written)).trim();
  if (TAGGED.test(text))
    text = [...text.matchAll(TAG)].map((match) => withoutFence(match[2]!).trim()).join("\n");
  const [, inTicks] = /^`([^`\n]+)`$/.exec(text) ?? [];
  if (inTicks !== undefined) text = inTicks.trim();
  const lines = text.split("\n");
  if (lines.every((line) => line.trim() === "" || /^\s*\$ \S/.test(line)))
    text = lines.map((line) => line.replace(/^\s*\$ /, "")).join("\n");
  return isEscaped(text) ? withoutEntities(text) : text;
}
