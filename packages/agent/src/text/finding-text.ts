import type { Finding } from "@treadle/protocol";
import { findingWords } from "@treadle/protocol/evidence";
import { plainOutput, tailOf } from "@treadle/protocol/safe-text";
import { clipLine } from "./clip.ts";

const LINE_CHARS = 300;
/** Maximum characters of the end of an output, which has the cause. */
const OUTPUT_CHARS = 800;

/** A finding for the model: one line, followed by the end of the output of failed tests. */
export function findingText(finding: Finding): string {
  const line = clipLine(findingWords(finding), LINE_CHARS);
  const { code, detail } = finding;
  if (code !== "tests-failed" || !detail) return line;
  const output = tailOf(plainOutput(detail).trim(), OUTPUT_CHARS);
  return `${line}, and printed at its end:\n${output.replace(/^/gm, "    ")}`;
}
