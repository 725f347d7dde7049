import { spellingsOf } from "./spellings.ts";

/** Shorter values are words that stand in any text. */
const SHORTEST = 6;

interface Secret {
  name: string;
  value: string;
}

export interface Redactor {
  /** What can be shown by now; an end that may be the beginning of a secret waits for what follows. */
  push(text: string): string;
  /** What waited. */
  flush(): string;
}

/**
 * Puts a secret's name in the place of its value in a text that comes in pieces: what a program prints goes to the log
 * and to the model. It guards against accidents, such as a dump of the environment or of a request with its `Authorization`;
 * who hides a value gets it through.
 */
export function createRedactor(secrets: () => readonly Secret[]): Redactor {
  let held = "";
  let given: readonly Secret[] = [];
  let spelled: Secret[] = [];
  /** Longest first. */
  const known = () => {
    const now = secrets();
    const isSame =
      now.length === given.length &&
      now.every(({ name, value }, at) => name === given[at]!.name && value === given[at]!.value);
    if (isSame) return spelled;
    given = now.map(({ name, value }) => ({ name, value }));
    spelled = given
      .filter(({ value }) => value.length >= SHORTEST)
      .flatMap(({ name, value }) =>
        spellingsOf(value).map((spelling) => ({ name, value: spelling })),
      )
      .toSorted((a, b) => b.value.length - a.value.length);
    return spelled;
  };
  const replace = (text: string) => {
    let out = text;
    for (const { name, value } of known()) out = out.replaceAll(value, `[secret ${name}]`);
    return out;
  };
  return {
    push(text) {
      const values = known().map(({ value }) => value);
      if (values.length === 0 && held === "") return text;
      const all = replace(held + text);
      const overlapChars = Math.max(0, ...values.map((value) => overlap(all, value)));
      held = all.slice(all.length - overlapChars);
      return all.slice(0, all.length - overlapChars);
    },
    flush() {
      const out = replace(held);
      held = "";
      return out;
    },
  };
}

/** Length of the longest end of `text` that `value` begins with. */
function overlap(text: string, value: string): number {
  for (let length = Math.min(text.length, value.length - 1); length > 0; length--)
    if (value.startsWith(text.slice(text.length - length))) return length;
  return 0;
}
