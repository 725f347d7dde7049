import { EXAMPLE, FOR_EXAMPLE, SHOWN } from "../prose/example.ts";
import { projectPath } from "./project-path.ts";

/** What a code fence of a message without artifacts is: a file, a command, tags in a fence; undefined for an example. */
export type Recognized =
  | { type: "file"; path: string }
  | { type: "shell" }
  | { type: "tags" }
  | undefined;

const SHELL = /^(?:bash|sh|shell|zsh|shellscript)$/i;
const ACTS =
  /\b(?:create|creating|update|updating|add|adding|edit|modify|write|save|replace|put|change|make|called|named|here(?:'s|’s| is)|file|in|for|into|to|with)\b/i;
const PATH_SOURCE = String.raw`(?:\/|\.\/)?(?:[\w@.()[\]$-]+\/)*[\w@.()[\]$-]*\.[a-z][a-z0-9]{0,9}`;
const PATH_ALONE = new RegExp(
  `^[\\s#>*_\`'"-]*(?:file(?:name)?\\s*:\\s*)?[*_\`'"]*(${PATH_SOURCE})[*_\`'"]*\\s*:?[\\s*_]*$`,
  "i",
);
const PATH_IN_LINE = new RegExp(`(?:^|[\\s\`'"(*])(${PATH_SOURCE})(?=[\\s\`'":,)*]|$)`, "gi");
const PATH_IN_INFO = new RegExp(`(?:^|[\\s:{"'=])(${PATH_SOURCE})(?=[\\s"'}]|$)`, "i");
const PATH_COMMENT = new RegExp(
  `^\\s*(?:\\/\\/|#|\\/\\*|<!--|--)\\s*(?:file(?:name|path)?|path)?\\s*:?\\s*(${PATH_SOURCE})\\s*(?:\\*\\/|-->)?\\s*$`,
  "i",
);
/** Names of things that only look like files. */
const NO_FILE =
  /^(?:node|next|vue|nuxt|react|three|express|ember|alpine|chart|d3|p5|discord|solid|angular|backbone|socket)\.(?:js|io)$/i;
/** Of tags, which nobody writes by chance, only this says that they are shown. */
const ILLUSTRATES = /\b(?:for (?:example|instance)|e\.g\.|looks? like|such as)(?!\w)[^.!?]*$/i;
const THROW_AWAY = /^(?:te?mp\/|(?:.*\/)?(?:te?mp|test|example|sample)\.[a-z]+$)/i;

/**
 * Decides what a fence is, once, from its info string, the prose before it and its first line.
 * @param before the end of the prose before the fence.
 */
export function recognizeFence(info: string, before: string, firstLine: string): Recognized {
  const said = before.trimEnd().split("\n").at(-1) ?? "";
  if (/^\s*<\s*bolt[-_]?(?:artifact|action)[\s>]/i.test(firstLine))
    return ILLUSTRATES.test(said) || FOR_EXAMPLE.test(said) ? undefined : { type: "tags" };
  const language = /^[^\s:{]*/.exec(info)?.[0] ?? "";
  if (SHOWN.test(language) || EXAMPLE.test(said) || FOR_EXAMPLE.test(said)) return undefined;
  if (SHELL.test(language)) return /^\s*[$>%]\s/.test(firstLine) ? undefined : { type: "shell" };
  const written =
    PATH_IN_INFO.exec(info)?.[1] ??
    PATH_ALONE.exec(said)?.[1] ??
    PATH_COMMENT.exec(firstLine)?.[1] ??
    pathInSentence(said);
  if (written === undefined || NO_FILE.test(written)) return undefined;
  const checked = projectPath(written, true);
  if (!checked.ok || THROW_AWAY.test(checked.path)) return undefined;
  return { type: "file", path: checked.path };
}

/** The only file that a sentence which asks for something names. */
function pathInSentence(line: string): string | undefined {
  if (!ACTS.test(line) || !/:[\s*_]*$/.test(line)) return undefined;
  const paths = [...line.matchAll(PATH_IN_LINE)]
    .map((match) => match[1]!)
    .filter((path) => !NO_FILE.test(path));
  return paths.length === 1 ? paths[0] : undefined;
}
