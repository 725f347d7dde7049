import { isExpectation } from "@treadle/protocol/checks";
import type { Check } from "../checks/parse-checks.ts";
import type { PlacedTry } from "./check-places.ts";
import { wholeWord, wordsOf } from "./typed-texts.ts";

/** Fields, whose lines hold what was typed. */
const FIELD = /^- (?:textbox|searchbox|combobox|spinbutton)\b/;
/** A message of the page's to who uses it, as the outline has it. */
const MESSAGE = /^- status\b/;

/** Whether a check types something and then expects nothing of it to be shown: a page that only thanks would do. */
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
 * Whether all that a check's last action came to is a message: the page shows nothing else that is new, and neither its
 * browser nor its server keeps anything. False where that is not known.
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

/** An outline without its fields, and without its messages and what is in them unless those are asked for. */
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
