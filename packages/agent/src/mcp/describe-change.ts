import { clipLine } from "../text/clip.ts";
import { stableJson } from "../text/stable-json.ts";
import { visible } from "../text/visible.ts";
import type { McpDefinition } from "./types.ts";

const SHOWN = 600;
const NAMES = 20;

/** What is another than it was when the person allowed it, as sentences (A36). */
export function describeChange(before: McpDefinition, now: McpDefinition): string {
  const told: string[] = [];
  if (before.description !== now.description)
    told.push(
      `Its description was ${quoted(before.description)} and is now ${quoted(now.description)}.`,
    );
  if (stableJson(before.inputSchema) !== stableJson(now.inputSchema)) {
    const [had, has] = [argumentsOf(before), argumentsOf(now)];
    const added = has.filter((name) => !had.includes(name));
    const gone = had.filter((name) => !has.includes(name));
    if (added.length > 0) told.push(`It now takes ${list(added)}.`);
    if (gone.length > 0) told.push(`It no longer takes ${list(gone)}.`);
    if (added.length + gone.length === 0) told.push("Its arguments are described differently.");
  }
  if (before.readOnly !== now.readOnly)
    told.push(
      now.readOnly ? "It now says that it only reads." : "It no longer says that it only reads.",
    );
  if (told.length === 0) told.push("It is called in another place than before.");
  return told.join(" ");
}

const quoted = (text: string) => (text === "" ? "empty" : `“${clipLine(visible(text), SHOWN)}”`);

const argumentsOf = ({ inputSchema }: McpDefinition) => Object.keys(inputSchema.properties ?? {});

const list = (names: string[]) =>
  names
    .slice(0, NAMES)
    .map((name) => clipLine(visible(name), 60))
    .join(", ");
