import type { PageReport } from "@treadle/protocol";
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { clipLine } from "../text/clip.ts";

/** How web servers call what they show where a folder has no page. */
const LISTING = /^(?:index of \/|directory listing (?:for|of) |listing directory |files within )/i;
/** What was thrown, by its name, and where: of Node and its like. */
const THROWN =
  /^\s*(?:[A-Z]\w*)?(?:Error|Exception)(?: \[\w+\])?:[^]{0,500}?\n\s*at [^\n]{0,300}?[^\s:(]:\d+:\d+\)?/;
/** The same of Python, which says last what was raised. */
const RAISED = /^\s*Traceback \(most recent call last\)/;
/** The text shown in place of a page. */
const SORRY =
  /^\s*(?:oops\W*(?:$|we\b|an? (?:\w+ )?error)|(?:oops\W+|sorry, )?something went wrong|an? (?:unexpected |internal |unknown )?(?:server |application )?error (?:has )?occurred|(?:internal )?server error\b|application error\b|unexpected error\b)/i;
/** Characters of a page that says nothing beside that. */
const NOTHING_ELSE = 100;

/**
 * What a server shows that has nothing to show for an address, and says that all is well. Undefined for what an app may
 * mean.
 */
export function shownInstead({ path, title, text }: PageReport): Sentence | undefined {
  const lines = text.trim().split("\n");
  const error = (line: string | undefined) =>
    sentence("shown-error", { path, error: clipLine(line ?? "", 200) });
  if (LISTING.test(title)) return sentence("listing", { path });
  if (THROWN.test(text)) return error(lines[0]);
  if (RAISED.test(text)) return error(lines.at(-1));
  if (text.length < NOTHING_ELSE && SORRY.test(text))
    return sentence("shows-only", { path, text: clipLine(text.trim(), 100) });
  return undefined;
}
