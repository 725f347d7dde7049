/** The line of what a program printed last that says what was thrown. */
const THROWN = /^(?:Uncaught )?\w{0,60}(?:Error|Exception)\b.*$/m;
/** Where that was, as Node says it below. */
const FRAMES = /^(?:\n *at .*){1,12}/;
/** Characters of each that are told. */
const LINE = 300;
const STACK = 2_000;

/** What was thrown, as a program said when it ended, and where. */
export function thrownIn(printed: string): { thrown?: string; stack?: string } {
  const found = THROWN.exec(printed);
  if (!found) return {};
  const frames = FRAMES.exec(printed.slice(found.index + found[0].length));
  return {
    thrown: found[0].slice(0, LINE),
    stack: frames ? frames[0].trim().slice(0, STACK) : undefined,
  };
}
