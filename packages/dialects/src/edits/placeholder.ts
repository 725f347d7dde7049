/** Maximum length of a placeholder line, in characters. */
const LONGEST = 200;

const OPENS_LINE = /^\{?(?:\/\*+|\/\/+|#|<!--|--|;)/;
const CLOSES_LINE = /(?:\*\/|-->)\}?$/;
const BEHIND_CODE = /[\s{(;](?:\/\*+|\/\/+|#|<!--)\s*(?=\.{3}|…)/;
const CLOSES = /(?:\*\/|-->).*/;
const BARE = /^\[?(?:\.{3}|…) ?\w+ /;

const THING =
  "(?:code|file|class|component|functions?|methods?|imports?|styles?|content|html|css|markup|logic|query|script)";
/** Words that begin a phrase about omitted code; between dots, one of them is enough. */
const LEFT_OUT = "(?:rest|remainder|remaining|existing|unchanged|previous|other|same|omitted|more)";
const ABOUT = new RegExp(`\\b(?:${LEFT_OUT}|${THING}|implementation)\\b`, "i");
const BEGINS = new RegExp(`^(?:(?:keep|the|all|your) )*${LEFT_OUT}\\b`, "i");
const SAYS_SO = new RegExp(
  `^(?:(?:keep|the|all|your) )*(?:(?:rest|remainder) of (?:(?:the|your|this) )*${THING}\\b|(?:existing|remaining|previous|other) ${THING}(?: (?:here|(?:is |are |remains? |stays? )?(?:the same|unchanged)))?$|(?:${THING} )?omitted|unchanged$|no changes|same as before)`,
  "i",
);

/**
 * The first line of the new text that stands for omitted code ("// ... rest of the code") and is
 * not in the old text. Applying it would delete that code.
 */
export function findPlaceholder(replacement: string, old: string): string | undefined {
  return replacement.split("\n").find((line) => isPlaceholder(line) && !old.includes(line.trim()));
}

function isPlaceholder(line: string): boolean {
  if (line.length > LONGEST) return false;
  const words = saidIn(line.trim());
  const bare = words.replace(/^[\s.…[(]+|[\s.…:)\]]+$/g, "");
  if (/^[[(]?(?:\.{3}|…)/.test(words)) return bare === "" || ABOUT.test(bare);
  return (/(?:\.{3}|…)[)\]]?$/.test(words) && BEGINS.test(bare)) || SAYS_SO.test(bare);
}

/** The text of a line that is a comment, or that has dots after code; empty if there is none. */
function saidIn(line: string): string {
  const wholeLine = OPENS_LINE.exec(line);
  const opening = wholeLine ?? BEHIND_CODE.exec(line);
  if (!opening) return BARE.test(line) ? line : "";
  const rest = line.slice(opening.index + opening[0].length);
  return rest.replace(wholeLine ? CLOSES_LINE : CLOSES, "").trim();
}
