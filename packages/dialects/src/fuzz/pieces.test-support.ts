import type { Random } from "./random.test-support.ts";

interface AnyEvent {
  type: string;
  text?: string;
}
interface Writer {
  write(chunk: string): void;
  end(): void;
}

/** The events of a chunked text, with divisible events joined. */
function eventsOf<E extends AnyEvent>(
  make: (onEvent: (event: E) => void) => Writer,
  pieces: readonly string[],
): E[] {
  const events: E[] = [];
  const writer = make((event) => {
    const last = events.at(-1);
    if (last && event.text !== undefined && last.type === event.type && sameHead(last, event))
      events[events.length - 1] = { ...last, text: last.text! + event.text };
    else events.push(event);
  });
  for (const piece of pieces) writer.write(piece);
  writer.end();
  writer.write("after the end");
  writer.end();
  return events;
}

function sameHead(a: AnyEvent, b: AnyEvent): boolean {
  return JSON.stringify({ ...a, text: "" }) === JSON.stringify({ ...b, text: "" });
}

/** The events are the same for any chunking, and the parser does not throw. */
export function cutsAlike<E extends AnyEvent>(
  random: Random,
  text: string,
  make: (onEvent: (event: E) => void) => Writer,
): { events: E[]; problem?: string } {
  const events = eventsOf(make, [text]);
  const uncut = JSON.stringify(events);
  for (const pieces of [random.cut(text), [...Array(text.length).keys()].map((at) => text[at]!)]) {
    const cut = JSON.stringify(eventsOf(make, pieces));
    if (cut !== uncut) return { events, problem: `pieces change the events: ${uncut} and ${cut}` };
  }
  return { events };
}

/** Texts between tags. */
export const PROSE = [
  "a", "word ", " ", "\n", "\r\n", "\n\n", "`", "``", "```", "````ts", "```bash\nnpm i\n```", "<", ">",
  "</", "<think>", "</think>", "<thinking>", "</thinking>", "é", "\u{1f600}", "=", '"', "'", "&lt;",
  "src/a.ts:\n", "Create b.js:\n", "// file: c.ts\n", "  ", "\t",
]; // prettier-ignore

/** Contents of files and values. */
export const CONTENT = [
  "const a = 1;",
  "\n",
  "  ",
  "<div>",
  "</div>",
  "&lt;",
  "`",
  "```",
  "</bolt",
  "é",
  "x",
  "\t",
];
