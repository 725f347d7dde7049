import { clipLine, clipMiddle } from "../../text/clip.ts";
import { visibleText } from "@treadle/protocol/safe-text";
import { frontMatter } from "./front-matter.ts";
import type { Skill } from "./types.ts";

/** Characters that the model reads. */
const BODY = 16_000;
const DESCRIPTION = 200;

/**
 * A skill of its `SKILL.md`; undefined where its name is none. The folder's name counts where the file gives none.
 */
export function parseSkill(text: string, folder: string): Skill | undefined {
  const { fields, body } = frontMatter(text);
  const name = typeof fields["name"] === "string" ? fields["name"].trim() : folder;
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(name)) return undefined;
  const description = typeof fields["description"] === "string" ? fields["description"] : "";
  return {
    name,
    description: clipLine(visibleText(description), DESCRIPTION),
    body: clipMiddle(visibleText(body).trim(), BODY),
  };
}
