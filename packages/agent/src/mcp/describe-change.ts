import { clipLine } from "../text/clip.ts";
import { stableJson } from "../text/stable-json.ts";
import { visibleText } from "@treadle/protocol/safe-text";
import type { McpDefinition } from "./types.ts";

const SHOWN = 600;
/** Number of equal characters shown before the first difference. */
const BEFORE = 80;
const NAMES = 20;

/** Describes in sentences what changed in a tool since the person allowed it (A36). */
export function describeChange(before: McpDefinition, now: McpDefinition): string {
  const changes: string[] = [];
  if (before.description !== now.description)
    changes.push(`Its description was ${difference(before.description, now.description)}.`);
  if (stableJson(before.inputSchema) !== stableJson(now.inputSchema)) {
    const [had, has] = [argumentsOf(before), argumentsOf(now)];
    const added = has.filter((name) => !had.includes(name));
    const gone = had.filter((name) => !has.includes(name));
    if (added.length > 0) changes.push(`It now takes ${list(added)}.`);
    if (gone.length > 0) changes.push(`It no longer takes ${list(gone)}.`);
    if (added.length + gone.length === 0) {
      const [had, has] = [stableJson(before.inputSchema), stableJson(now.inputSchema)];
      changes.push(`Its arguments are described differently: it was ${difference(had, has)}.`);
    }
  }
  if (before.readOnly !== now.readOnly)
    changes.push(
      now.readOnly ? "It now says that it only reads." : "It no longer says that it only reads.",
    );
  if (changes.length === 0) changes.push("It is called in another place than before.");
  return changes.join(" ");
}

/** Quotes both texts from shortly before the first difference, which may be far from the beginning. */
function difference(before: string, now: string): string {
  let at = 0;
  while (at < before.length && before[at] === now[at]) at++;
  const from = before.length <= SHOWN && now.length <= SHOWN ? 0 : Math.max(0, at - BEFORE);
  const part = (text: string) => (from > 0 ? `…${text.slice(from)}` : text);
  return `${quoted(part(before))} and is now ${quoted(part(now))}`;
}

const quoted = (text: string) =>
  text === "" ? "empty" : `“${clipLine(visibleText(text), SHOWN)}”`;

const argumentsOf = ({ inputSchema }: McpDefinition) => Object.keys(inputSchema.properties ?? {});

const list = (names: string[]) =>
  names
    .slice(0, NAMES)
    .map((name) => clipLine(visibleText(name), 60))
    .join(", ");
