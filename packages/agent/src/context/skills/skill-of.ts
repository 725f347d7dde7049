import { clipLine, clipMiddle } from "../../text/clip.ts";
import { visibleText } from "@treadle/protocol/safe-text";
import type { FrontMatter } from "./front-matter.ts";
import type { Skill } from "./types.ts";

/** Maximum length of a skill for the model, in characters. */
const MAX_BODY_CHARS = 16_000;
const MAX_DESCRIPTION_CHARS = 200;

/**
 * The skill in a `SKILL.md`, or undefined if its name is not allowed. The folder's name is the
 * default.
 */
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
