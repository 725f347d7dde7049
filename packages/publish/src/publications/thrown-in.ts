/** The line at the end of a program's output that names the thrown error. */
const THROWN = /^(?:Uncaught )?\w{0,60}(?:Error|Exception)\b.*$/m;
/** The stack frames that Node prints below it. */
const FRAMES = /^(?:\n *at .*){1,12}/;
/** Maximum length of each line, in characters. */
const LINE = 300;
const STACK = 2_000;

/** The error with which a program exited, and its position, from the output. */
export function thrownIn(printed: string): { thrown?: string; stack?: string } {
  const found = THROWN.exec(printed);
  if (!found) return {};
  const frames = FRAMES.exec(printed.slice(found.index + found[0].length));
  return {
    thrown: found[0].slice(0, LINE),
    stack: frames ? frames[0].trim().slice(0, STACK) : undefined,
  };
}
