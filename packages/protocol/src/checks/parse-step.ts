import { headOf } from "../safe-text/index.ts";
import type { PageStep } from "./types.ts";

/** Characters of a step; the patterns below may take the square of it. */
const STEP = 1_000;

/** A quoted text, with straight or curly quotes. */
const QUOTED = String.raw`(?:"([^"]*)"|“([^”]*)”)`;

/**
 * A named thing within another: read as one name it would never be found, so that `expect no` of it always held. What is
 * typed or chosen is put into something, and a selector may say anything.
 */
const WITHIN = /^(?:click|wait|expect|see)\b(?!.*\bcss=).*["”]\s+(?:in|inside|within|under)\s+\S/i;

const FORMS: [RegExp, (...parts: (string | undefined)[]) => PageStep | string][] = [
  [/^(?:open|go to)\s+(\S+)$/i, (path) => ({ do: "open", text: unquoted(path) })],
  [/^reload(?: the page)?$/i, () => ({ do: "reload" })],
  [/^click(?: on)?\s+(.+)$/i, (on) => ({ do: "click", on: unquoted(on) })],
  [
    new RegExp(String.raw`^(?:type|enter)\s+${QUOTED}\s+in(?:to)?\s+(.+)$`, "i"),
    (a, b, on) => ({ do: "type", text: a ?? b ?? "", on: unquoted(on) }),
  ],
  [
    new RegExp(String.raw`^(?:select|choose)\s+${QUOTED}\s+in\s+(.+)$`, "i"),
    (a, b, on) => ({ do: "select", text: a ?? b ?? "", on: unquoted(on) }),
  ],
  [
    /^press\s+(\S+)(?:\s+in\s+(.+))?$/i,
    (key, on) => ({
      do: "press",
      text: unquoted(key),
      ...(on === undefined ? {} : { on: unquoted(on) }),
    }),
  ],
  [/^wait(?: for)?\s+(.+)$/i, (on) => ({ do: "wait", on: unquoted(on) })],
  [/^(?:expect|see)\s+no\s+(.+)$/i, (on) => ({ do: "expect_gone", on: unquoted(on) })],
  [
    new RegExp(String.raw`^(?:expect|see)\s+(.+?)\s+(?:to say|says?)\s+${QUOTED}$`, "i"),
    (on, a, b) => ({ do: "expect", on: unquoted(on), text: a ?? b ?? "" }),
  ],
  [/^(?:expect|see)\s+(.+)$/i, (on) => ({ do: "expect", on: unquoted(on) })],
];

/** One step in plain words, or a sentence that says why it is none. */
export function parseStep(words: string): PageStep | string {
  // Models and people set what is on the page in code marks.
  if (words.length > STEP)
    return `“${headOf(words, 80)}…” is too long: a step has ${STEP.toLocaleString("en")} characters at most`;
  const line = words.replaceAll("`", "").replace(/\.$/, "").trim();
  if (WITHIN.test(line))
    return `“${words.slice(0, 80)}” is no step: a step names one thing, not one within another. Write its role and name (listitem "Milk"), expect … to say "…", or css= with a selector such as css=li:nth-child(1)`;
  for (const [form, step] of FORMS) {
    const match = form.exec(line);
    if (match) return step(...match.slice(1));
  }
  return `“${headOf(words, 80)}” is no step: a step begins with open, reload, click, type "…" in, select "…" in, press, wait for, expect or expect no`;
}

/** A text that is quoted as a whole, without its quotes; `button "Add"` keeps them. */
function unquoted(text = ""): string {
  const match = new RegExp(`^${QUOTED}$`).exec(text.trim());
  return match ? (match[1] ?? match[2] ?? "") : text.trim();
}
