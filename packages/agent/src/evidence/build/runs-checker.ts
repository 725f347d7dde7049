/** Programs whose exit code of 0 is a proof although they write no files. */
const CHECKERS = new Set(["tsc", "tsgo", "vue-tsc", "svelte-check", "flow", "glint"]);
/** Arguments with which these programs read no file of the project. */
const LOOKS_AT_NOTHING =
  /^(?:--?(?:v|version|h|help|all|init|showConfig|listFilesOnly)|init|version|ls)$/i;
/** Programs that only run the program named in their arguments, with the options that they take. */
const RUNNERS = new Set([
  "npx",
  "pnpx",
  "bunx",
  "exec",
  "env",
  "cross-env",
  "time",
  "nice",
  "node",
  "command",
]);
/** Package managers, which are followed by `exec`, `run` or the name of a script. */
const MANAGERS = new Set(["npm", "pnpm", "yarn", "bun"]);
const RUN_ALL = new Set(["run-s", "run-p", "npm-run-all", "npm-run-all2"]);
/** How deep scripts that call scripts are followed. */
const MAX_DEPTH = 5;
const MAX_SCRIPT = 4_000;

interface Part {
  words: string[];
  /** The operator after the command: `&&`, `;` and so on, or empty. */
  operator: string;
}

/**
 * Whether a script that exited with 0 must have run a type checker that exited with 0: one in the position of a command, whose
 * failure is not masked. `true # tsc`, `echo tsc` and `tsc || true` do not qualify.
 * @param scripts the scripts of package.json by name, because one may run another
 */
export function runsChecker(script: string, scripts: Record<string, string>, depth = 0): boolean {
  if (script.length > MAX_SCRIPT || depth > MAX_DEPTH) return false;
  const parts = readParts(script);
  if (!parts) return false;
  return parts.some(({ words }, index) => {
    // Earlier commands must let it run, and later ones must not replace its exit code.
    const before = parts.slice(0, index);
    if (before.some((part) => part.operator === "||" || part.operator === "&" || ends(part)))
      return false;
    if (parts.slice(index, -1).some((part) => part.operator !== "&&")) return false;
    if (parts.at(-1)!.operator === "&") return false;
    return isChecker(words, scripts, depth);
  });
}

const ends = ({ words: [first] }: Part) => first === "exit" || first === "exec";

function isChecker(all: string[], scripts: Record<string, string>, depth: number): boolean {
  const words = all.filter((word, index) => index > 0 || !/^\w+=/.test(word));
  const [first = "", ...rest] = words.slice(words.findIndex((word) => !/^\w+=/.test(word)));
  const program = nameOf(first);
  if (CHECKERS.has(program)) return !rest.some((word) => LOOKS_AT_NOTHING.test(word));
  const plain = rest.filter((word) => !word.startsWith("-"));
  if (RUNNERS.has(program)) return isChecker(from(rest), scripts, depth);
  if (RUN_ALL.has(program)) return plain.some((name) => runsScript(name, scripts, depth));
  if (!MANAGERS.has(program)) return false;
  const [verb = "", ...behind] = plain;
  if (/^(?:exec|x|dlx)$/.test(verb))
    return isChecker(behind.length > 0 ? from(after(rest, verb)) : [], scripts, depth);
  if (/^(?:run|run-script)$/.test(verb)) return runsScript(behind[0] ?? "", scripts, depth);
  return (
    runsScript(verb, scripts, depth) || (program !== "npm" && isChecker(from(rest), scripts, depth))
  );
}

const runsScript = (name: string, scripts: Record<string, string>, depth: number) =>
  Object.hasOwn(scripts, name) && runsChecker(scripts[name]!, scripts, depth + 1);

/** Drops leading flags and variable assignments. */
const from = (words: string[]) => {
  const at = words.findIndex((word) => !word.startsWith("-") && !/^\w+=/.test(word));
  return at < 0 ? [] : words.slice(at);
};
const after = (words: string[], word: string) => words.slice(words.indexOf(word) + 1);

/** The name of a program: `node_modules/.bin/tsc` and `./node_modules/typescript/bin/tsc.js` are `tsc`. */
const nameOf = (word: string) => word.slice(word.lastIndexOf("/") + 1).replace(/\.[cm]?js$/, "");

/** Splits a plain shell command into words. Undefined if it uses syntax that hides which program runs. */
function readParts(script: string): Part[] | undefined {
  const parts: Part[] = [];
  let words: string[] = [];
  let word: string | undefined;
  const endWord = () => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  const endPart = (operator: string) => {
    endWord();
    if (words.length > 0) parts.push({ words, operator });
    words = [];
  };
  for (let at = 0; at < script.length; at++) {
    const letter = script[at]!;
    if (letter === "'" || letter === '"') {
      const close = script.indexOf(letter, at + 1);
      if (close < 0) return undefined;
      word = (word ?? "") + script.slice(at + 1, close);
      at = close;
    } else if (letter === "#" && word === undefined) {
      while (at + 1 < script.length && script[at + 1] !== "\n") at++;
    } else if (letter === " " || letter === "\t") endWord();
    else if (letter === "\n" || letter === ";") endPart(";");
    else if (letter === "&" || letter === "|") {
      const twice = script[at + 1] === letter;
      // `2>&1` and `>&2` do not end the command.
      if (letter === "&" && (word?.endsWith(">") || script[at + 1] === ">")) {
        word = (word ?? "") + letter;
        continue;
      }
      endPart(twice ? letter + letter : letter);
      if (twice) at++;
    } else if ("()`{}$\\!".includes(letter)) return undefined;
    else word = (word ?? "") + letter;
  }
  endPart("");
  const isBranched = parts.some(({ words: [first = ""] }) =>
    /^(?:if|then|else|elif|fi|for|while|until|do|done|case|esac|function|trap|set)$/.test(first),
  );
  return isBranched ? undefined : parts;
}
