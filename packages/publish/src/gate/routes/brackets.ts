/** Pairs of matching brackets in a program: the position of each one's partner. */
export interface Brackets {
  closing: ReadonlyMap<number, number>;
  opening: ReadonlyMap<number, number>;
}

const TOKEN =
  /\/\/[^\n]*|\/\*[^]*?\*\/|"(?:[^"\\\n]|\\.){0,5000}"|'(?:[^'\\\n]|\\.){0,5000}'|`(?:[^`\\]|\\[^]){0,20000}`|(?<=[(,=:[!&|?{};]\s{0,20})\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.){0,500}\]){1,1000}\/|[()[\]{}]/g;
const PAIRS: Record<string, string> = { ")": "(", "]": "[", "}": "{" };

/** Pairs the brackets outside of strings, comments and regular expressions. An unbalanced one has no partner. */
export function bracketsOf(text: string): Brackets {
  const closing = new Map<number, number>();
  const opening = new Map<number, number>();
  const open: { bracket: string; index: number }[] = [];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token.length > 1) continue;
    const requested = PAIRS[token];
    if (requested === undefined) open.push({ bracket: token, index });
    else if (open.at(-1)?.bracket === requested) {
      const { index: from } = open.pop()!;
      closing.set(from, index);
      opening.set(index, from);
    }
  }
  return { closing, opening };
}

/** Splits the text between two brackets at the commas of that level. */
export function partsOf(
  text: string,
  { closing }: Brackets,
  open: number,
): { from: number; to: number }[] {
  const end = closing.get(open);
  if (end === undefined) return [];
  const parts: { from: number; to: number }[] = [];
  let from = open + 1;
  for (let at = from; at < end; at++) {
    const letter = text[at]!;
    if (letter === ",") {
      parts.push({ from, to: at });
      from = at + 1;
    } else if ("\"'`".includes(letter)) at = Math.min(end, afterText(text, at));
    else at = closing.get(at) ?? at;
  }
  parts.push({ from, to: end });
  return parts;
}

function afterText(text: string, at: number): number {
  const quote = text[at];
  let to = at + 1;
  while (to < text.length && text[to] !== quote && (quote === "`" || text[to] !== "\n"))
    to += text[to] === "\\" ? 2 : 1;
  return text[to] === quote ? to : at;
}

/** Maximum number of calls in a chain that are followed. */
const MOST_LINKS = 300;

/**
 * The name at the start of a chain of calls, or its variable: `app` for `app.get("/a", a).get` and
 * for `const app = new Hono().get("/a", a).get`. Empty if there is none.
 * @param dot position of the chain's last dot
 */
export function rootOf(text: string, { opening }: Brackets, dot: number): string {
  let at = dot;
  for (let links = 0; links < MOST_LINKS; links++) {
    at = before(text, at);
    const from = opening.get(at - 1);
    if (from !== undefined) {
      at =
        from -
        (/<[^<>()]{0,100}>$/.exec(text.slice(Math.max(0, from - 102), from))?.[0].length ?? 0);
      continue;
    }
    const word = /[\w$]{1,100}$/.exec(text.slice(Math.max(0, at - 100), at))?.[0] ?? "";
    // A call of an unnamed value: `(express())`.
    if (word === "" && text[at - 1] !== ".") return keptAs(text, at);
    at = before(text, at - word.length);
    if (text[at - 1] === ".") at = before(text, at - 1);
    else if (text[at - 1] === "?" || text[at - 1] === "!") at--;
    else return keptAs(text, at) || word;
  }
  return "";
}

const before = (text: string, at: number): number => {
  let from = at;
  while (from > 0 && /\s/.test(text[from - 1]!)) from--;
  return from;
};

const keptAs = (text: string, at: number): string =>
  /(?:^|[^\w$.])([A-Za-z_$][\w$]{0,60})\s{0,10}(?::[^=;,(){}]{0,80})?=\s{0,10}(?:(?:await|new)\b\s{0,10})*$/.exec(
    text.slice(Math.max(0, at - 200), at),
  )?.[1] ?? "";
