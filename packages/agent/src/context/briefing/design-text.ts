import { readProjectDesign } from "@treadle/design";
import type { DesignToken, TokenGroup } from "@treadle/protocol";
import { visibleText } from "@treadle/protocol/safe-text";
import type { ListedFile, Workspace } from "@treadle/workspace";
import { clipLine } from "../../text/clip.ts";

/** Maximum number of tokens named per group, and of characters of a name. */
const MAX_NAMED = 24;
const NAME_CHARS = 60;

const GROUPS: [TokenGroup, string][] = [
  ["colour", "colours"],
  ["type", "type"],
  ["spacing", "spacing"],
  ["radius", "radius"],
  ["other", "other"],
];

/**
 * The names of the project's design tokens and where they are set; empty for a project without any. Values are left
 * out, so that a changed value does not change the briefing.
 */
export async function designText(
  workspace: Workspace,
  listed: readonly ListedFile[],
): Promise<string> {
  const files = listed.filter(({ kind }) => kind === "file");
  const design = await readProjectDesign(workspace, { lane: "briefing" }, files);
  if (!design || design.tokens.length === 0) return "";
  const lines = GROUPS.flatMap(([group, word]) => {
    const names = design.tokens.filter((one) => one.group === group && one.aliasOf === undefined);
    return names.length === 0 ? [] : [`${word}: ${listNames(names)}`];
  });
  const where = design.files.map(({ path }) => JSON.stringify(clipLine(visibleText(path), 200)));
  return `Design tokens are set in ${where.slice(0, 3).join(", ")}; use var(--name), and change a value only there.\n${lines.join("\n")}`;
}

const listNames = (tokens: readonly DesignToken[]) =>
  `${tokens
    .slice(0, MAX_NAMED)
    .map(({ name }) => clipLine(visibleText(name), NAME_CHARS))
    .join(" ")}${tokens.length > MAX_NAMED ? " …" : ""}`;
