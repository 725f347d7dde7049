import type { Evidence } from "@treadle/protocol";
import { unprovenItems, type UnprovenItem } from "@treadle/protocol/evidence";
import { clipLine } from "../text/clip.ts";
import { findingText } from "../text/finding-text.ts";
import { prose } from "../text/prose.ts";

const UNPROVEN = prose(new URL("./unproven.md", import.meta.url));
const FOUND = prose(new URL("./found.md", import.meta.url));
/** Maximum number of items, and of findings, that are named. */
const NAMED = 12;
const FINDINGS_NAMED = 16;

const WHY: Record<UnprovenItem["why"], string> = {
  "no-check": "no check is named for it",
  "unknown-check": "there is no check of that name",
  "older-check": "it held before this turn, and was not changed in it",
  "by-eye": "only eyes can judge it",
  "already-held": "all that it expects had held before its actions",
  "no-expectation": "it expects nothing",
  "passed-before": "it passes without the changes of this turn as well",
  "one-value": "it holds for the value that it types alone, and fails with another one",
  "other-code": "it ran nothing of what this turn wrote",
  "only-message":
    "all that comes of it is a message, the same for whatever is typed, and nothing of that is kept: expect what was typed where it has to be shown",
  "not-kept":
    "the page sends what was typed to the server and shows it, but the database was not written, and after a reload it is gone",
};

/**
 * Why a check proves nothing, with the value if it is known: otherwise the model could not tell which of several values
 * is meant.
 */
function oneValue({ checks }: Evidence, name: string | undefined): string {
  const value = checks?.find((check) => check.name === name)?.holdsOnlyFor;
  if (value === undefined) return WHY["one-value"];
  return `it holds for “${clipLine(value, 100)}”, and fails with another value typed and expected in its place`;
}

/** The message for the model, given once if nothing failed: the requirements without a check, and other findings. */
export function unprovenText(evidence: Evidence): string {
  const lines = unprovenItems(evidence)
    .slice(0, NAMED)
    .map(({ what, check, why }) => {
      const subject = what === undefined ? "what was asked for" : `“${clipLine(what, 200)}”`;
      const by = check === undefined ? "" : ` (check “${clipLine(check, 100)}”)`;
      return `- ${subject}${by}: ${why === "one-value" ? oneValue(evidence, check) : WHY[why]}`;
    });
  // Only the steps of checks that should prove something: regression checks need no fix.
  const named = new Set(unprovenItems(evidence).map(({ check }) => check));
  for (const { name, steps, provesNothing } of evidence.checks ?? [])
    if (provesNothing === "already-held" && named.has(name))
      for (const { said: text, alreadyHeld } of steps)
        if (alreadyHeld)
          lines.push(`- in “${clipLine(name, 100)}”: ${clipLine(text, 200)} had held before`);
  const found = (evidence.findings ?? [])
    .slice(0, FINDINGS_NAMED)
    .map((finding) => `- ${findingText(finding)}`);
  return [
    ...(lines.length === 0
      ? []
      : [UNPROVEN.replace("{items}", () => lines.slice(0, NAMED * 2).join("\n"))]),
    ...(found.length === 0 ? [] : [FOUND.replace("{items}", () => found.join("\n"))]),
  ].join("\n\n");
}
