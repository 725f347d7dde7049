const COMMENT = /^\s*(?:\{?\/\*+|\/\/|#|<!--|--|;)\s*(.*?)\s*(?:\*\/\}?|-->)?\s*$/;
const LEFT_OUT =
  /\b(?:rest|remainder|remaining|existing|unchanged|previous|other|same|omitted|truncated|keep|stays?)\b/i;
const SAYS_SO =
  /^(?:the )?(?:rest|remainder) of (?:the )?(?:code|file|class|component|function|methods?|imports?|styles?|content)\b|^(?:existing|remaining|previous|other) (?:code|methods?|content|imports?|functions?|styles?)(?: (?:here|unchanged|remains?(?: the same| unchanged)?|stays?(?: the same)?))?$/i;

/**
 * The first line of the new text that stands for code which was left out ("// ... rest of the code"), if there is one
 * that the old text does not have too. Applying it would delete what it stands for.
 */
export function findPlaceholder(replacement: string, old: string): string | undefined {
  return replacement.split("\n").find((line) => isPlaceholder(line) && !old.includes(line.trim()));
}

function isPlaceholder(line: string): boolean {
  const comment = COMMENT.exec(line)?.[1];
  if (comment === undefined) return false;
  const bare = comment.replace(/\.{3,}|\u2026/g, "").trim();
  const elided = bare !== comment;
  if (elided) return bare === "" || LEFT_OUT.test(bare);
  return SAYS_SO.test(comment.replace(/[.:]$/, ""));
}
