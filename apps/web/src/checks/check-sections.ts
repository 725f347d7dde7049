import { parseChecks } from "@treadle/protocol/checks";
import { isSameCheck } from "@treadle/protocol/evidence";
import type { Refusal } from "./append-check.ts";

/** One check of a checks file, as written there. */
export interface CheckSection {
  name: string;
  /** Everything from its heading to the next one: its steps and notes for people. */
  body: string;
  /** Offsets of its heading and of its end in the file's text. */
  from: number;
  to: number;
}

/** The checks of a file that can be edited separately, in order. */
export function checkSections(text: string): CheckSection[] {
  const names = parseChecks(text).checks.map(({ name }) => name);
  return headingsOf(text).flatMap(({ name, from, bodyFrom }, index, all) => {
    const to = all[index + 1]?.from ?? text.length;
    // Headings with a special meaning, and checks without steps, can be edited only in the file.
    return names.includes(name) ? [{ name, body: text.slice(bodyFrom, to).trim(), from, to }] : [];
  });
}

function headingsOf(text: string): { name: string; from: number; bodyFrom: number }[] {
  const headings: { name: string; from: number; bodyFrom: number }[] = [];
  let from = 0;
  let isFenced = false;
  for (const line of text.split(/(?<=\n)/)) {
    if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced;
    const [, title] = isFenced ? [] : (/^\s*#{2,}\s+(.*?)\s*$/.exec(line) ?? []);
    if (title !== undefined)
      headings.push({ name: title.replace(/[#\s]+$/, ""), from, bodyFrom: from + line.length });
    from += line.length;
  }
  return headings;
}

/** The file's text without a check. */
export function withoutSection(text: string, section: CheckSection): string | { refused: Refusal } {
  return verified(text, text.slice(0, section.from) + text.slice(section.to), section, []);
}

/** Replaces a check's name and steps in the file's text; everything else stays. */
export function withSection(
  text: string,
  section: CheckSection,
  next: { name: string; body: string },
): string | { refused: Refusal } {
  const name = next.name.trim();
  const others = parseChecks(text).checks.filter((check) => check.name !== section.name);
  if (others.some((check) => isSameCheck(check.name, name))) return { refused: "same-name" };
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const body = next.body.trim().split(/\r?\n/);
  const isLast = section.to === text.length;
  const lines = [`## ${name}`, ...body, ...(isLast ? [""] : ["", ""])];
  const after = text.slice(0, section.from) + lines.join(end) + text.slice(section.to);
  return verified(text, after, section, [name]);
}

/**
 * Returns the new text if it has the same checks as before, except that those named `names` replace the section's, and
 * no new problems.
 */
function verified(
  before: string,
  after: string,
  section: CheckSection,
  names: readonly string[],
): string | { refused: Refusal } {
  const [was, is] = [parseChecks(before), parseChecks(after)];
  const expected = was.checks.flatMap(({ name }) => (name === section.name ? names : [name]));
  const isAsMeant =
    is.checks.map(({ name }) => name).join("\n") === expected.join("\n") &&
    is.problems.length <= was.problems.length;
  return isAsMeant ? after : { refused: "not-read" };
}
