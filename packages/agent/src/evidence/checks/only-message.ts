import { isExpectation } from "@treadle/protocol/checks";
import type { Check } from "../../checks/parse-checks.ts";
import type { PlacedTry } from "./check-places.ts";
import { wholeWord, wordsOf } from "./typed-texts.ts";

/** Matches lines of fields, which contain the typed text. */
const FIELD = /^- (?:textbox|searchbox|combobox|spinbutton)\b/;
/** Matches a status message of the page in the outline. */
const MESSAGE = /^- status\b/;

/** Whether a check types a text and never expects it to be shown: a page that only says thanks would pass. */
export function mayOnlySay({ steps }: Check): boolean {
  const at = steps.findIndex(({ do: act, text = "" }) => act === "type" && text.trim() !== "");
  if (at === -1 || steps.some(({ as, do: act }) => as !== undefined || act === "request"))
    return false;
  const typed = steps.filter(({ do: act }) => act === "type").map(({ text = "" }) => text.trim());
  const after = steps.slice(at).filter(isExpectation);
  if (after.some(({ do: act }) => act !== "expect" && act !== "expect_console")) return false;
  return after.every((step) =>
    typed.every(
      (text) => text === "" || !wordsOf(step).some((words) => wholeWord(text).test(words)),
    ),
  );
}

/**
 * Whether a message is the only effect of a check's last action: nothing else on the page is new, and neither its browser nor
 * its server stored anything. False if that is not known.
 */
export function onlySays({ state, used, wrote }: PlacedTry): boolean {
  if (state !== "held" || wrote !== false || used?.keepsOther !== false) return false;
  const { outlineBefore, outline } = used;
  if (outlineBefore === undefined) return false;
  return (
    linesOf(outlineBefore, { messages: false }) === linesOf(outline, { messages: false }) &&
    linesOf(outlineBefore, { messages: true }) !== linesOf(outline, { messages: true })
  );
}

/** An outline without its fields and, unless requested, without its messages and their content. */
function linesOf(outline: string, { messages }: { messages: boolean }): string {
  let within = Number.POSITIVE_INFINITY;
  const lines = outline.split("\n").filter((line) => {
    const depth = line.search(/\S/);
    if (depth > within) return messages;
    const isMessage = MESSAGE.test(line.trim());
    within = isMessage ? depth : Number.POSITIVE_INFINITY;
    return isMessage ? messages : !FIELD.test(line.trim());
  });
  return lines.join("\n").replaceAll(/ \[active\]/g, "");
}
