import { clipLine, clipMiddle } from "../../text/clip.ts";
import { visibleText } from "@treadle/protocol/safe-text";
import type { FrontMatter } from "./front-matter.ts";
import type { Skill } from "./types.ts";

/** Characters that the model reads. */
const MAX_BODY_CHARS = 16_000;
const MAX_DESCRIPTION_CHARS = 200;

/** The skill of a `SKILL.md`, or undefined if its name is not allowed. Without a name in the file, its folder's counts. */
export function skillOf({ fields, body }: FrontMatter, folder: string): Skill | undefined {
  const name = typeof fields["name"] === "string" ? fields["name"].trim() : folder;
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(name)) return undefined;
  const description = typeof fields["description"] === "string" ? fields["description"] : "";
  return {
    name,
    description: clipLine(visibleText(description), MAX_DESCRIPTION_CHARS),
    body: clipMiddle(visibleText(body).trim(), MAX_BODY_CHARS),
  };
}
