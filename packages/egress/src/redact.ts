import { spellingsOf } from "./spellings.ts";

/** Minimum length of a value that is redacted: a shorter one could be any word of the text. */
const SHORTEST = 6;

interface Secret {
  name: string;
  value: string;
}

export interface Redactor {
  /** Returns the text that can be shown; the start of a possible secret is held back. */
  push(text: string): string;
  /** Returns the text that was held back. */
  flush(): string;
}

/**
 * Replaces a secret's value with its name in a streamed text, because a program's output goes to the log and the model.
 * It prevents accidents, such as dumps of the environment or of a request's `Authorization`, but not deliberate hiding.
 */
export function createRedactor(secrets: () => readonly Secret[]): Redactor {
  let held = "";
  let given: readonly Secret[] = [];
  let spelled: Secret[] = [];
  /** All spellings of the secrets, longest first. */
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

/** Length of the longest suffix of `text` that is a prefix of `value`. */
function overlap(text: string, value: string): number {
  for (let length = Math.min(text.length, value.length - 1); length > 0; length--)
    if (value.startsWith(text.slice(text.length - length))) return length;
  return 0;
}
