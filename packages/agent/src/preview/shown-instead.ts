import type { PageReport } from "@treadle/protocol";
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { clipLine } from "../text/clip.ts";

/** Matches titles of web servers' directory listings. */
const LISTING = /^(?:index of \/|directory listing (?:for|of) |listing directory |files within )/i;
/** Matches an exception with its stack trace, as Node and similar runtimes print it. */
const THROWN =
  /^\s*(?:[A-Z]\w*)?(?:Error|Exception)(?: \[\w+\])?:[^]{0,500}?\n\s*at [^\n]{0,300}?[^\s:(]:\d+:\d+\)?/;
/** Matches a Python traceback, whose last line names the exception. */
const RAISED = /^\s*Traceback \(most recent call last\)/;
/** Matches text that is shown in place of a page. */
const SORRY =
  /^\s*(?:oops\W*(?:$|we\b|an? (?:\w+ )?error)|(?:oops\W+|sorry, )?something went wrong|an? (?:unexpected |internal |unknown )?(?:server |application )?error (?:has )?occurred|(?:internal )?server error\b|application error\b|unexpected error\b)/i;
/** Pages with fewer characters than this show nothing besides such a text. */
const NOTHING_ELSE = 100;

/**
 * The fault of a page whose server answered with success but shows an error or a directory listing. Undefined if the
 * page may be intended.
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
