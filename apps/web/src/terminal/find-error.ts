/** Maximum number of lines searched, the newest. */
const MAX_LINES = 400;
/** Maximum characters searched per line. */
const MAX_LINE_CHARS = 300;

/**
 * Patterns of errors, which match at the beginning of a line, after prefixes such as a time, except TypeScript's, which
 * follow a position. The name of an error inside a sentence does not match.
 */
const ERROR_PATTERNS: readonly RegExp[] = [
  // TypeError: …, Error: …, AssertionError [ERR_ASSERTION]: …, java.lang.IllegalStateException: …
  /^(?:Uncaught |Unhandled |\(node:\d+\) )*(?:[\w$]+\.)*[A-Z]?[\w$]*(?:Error|Exception)(?: \[[\w:]+\])?: \S/,
  // src/App.tsx:3:1 - error TS2304: …; src/a.ts(3,1): error TS2304: …
  /(?::|\)|\b) ?-? ?error TS\d{1,6}: /,
  // error: …, ERROR in …, error[E0308]: …, ✘ [ERROR] …, npm error …, npm ERR! …, fatal: …, panic: …
  /^(?:✘ |× |✖ )?\[?(?:error|fatal|panic|npm error|npm ERR!)\]?(?:\[\w+\])?(?::| in | code |\s+\w)/i,
  // [vite] Internal server error: …, [plugin:vite:react-babel] …: Unexpected token
  /^\[[\w:@/.-]{1,60}\] .{0,80}\b[Ee]rror\b/,
  // src/App.tsx: error …, main.c:3:1: error: …
  /^\S{1,200}:\d+(?::\d+)?:? (?:fatal )?error\b/,
  //   3:1  error  'x' is not defined
  /^\s*\d+:\d+\s+error\s/,
  // Failed to compile., FAIL src/a.test.ts, ✖ 3 problems (1 error, …), × a test
  /^(?:Failed to (?:compile|load|resolve|start|parse)|FAIL(?:ED)?\s+\S|[✖×✗] .*\b[1-9]\d* (?:errors?|problems?|failed)\b)/,
  /^Traceback \(most recent call last\)/,
  /^(?:bash|sh|zsh|-bash): .*: (?:command not found|No such file or directory|Permission denied)/,
  /^(?:Segmentation fault|Killed|Aborted)\b/,
];

/** A count of zero errors. */
const NONE = /\b(?:0|no) errors?\b|\berrors?: 0\b/i;
/** Messages of a program that works again; earlier errors no longer count. */
const WELL =
  /\b(?:ready in \d|compiled successfully|found 0 errors|hmr update|page reload|build completed|built in \d)/i;

/**
 * The first error line after the last line that says that the program works again; undefined if there is none. Never
 * throws.
 * @param lines lines without escape sequences, in order
 */
export function findError(lines: readonly string[]): string | undefined {
  let found: string | undefined;
  for (const fullLine of lines.slice(-MAX_LINES)) {
    const line = fullLine
      .slice(0, MAX_LINE_CHARS)
      .replace(/^\d{1,2}:\d\d(?::\d\d)?(?: [AP]M)? /, "");
    if (WELL.test(line)) found = undefined;
    else if (
      found === undefined &&
      !NONE.test(line) &&
      ERROR_PATTERNS.some((pattern) => pattern.test(line))
    )
      found = line.trim();
  }
  return found;
}
