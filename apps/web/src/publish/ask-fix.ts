import type { AppError } from "@treadle/protocol";
import { visibleProse } from "@treadle/protocol/safe-text";

const LINE = "-".repeat(16);

/**
 * The message that asks the model to fix errors of the published app. The errors may contain text by strangers, so they are
 * placed between two delimiter lines.
 * @param ask the text before the errors
 */
export const askFix = (ask: string, errors: readonly AppError[]): string =>
  [ask, LINE, ...errors.map(describeError), LINE].join("\n");

function describeError({ text, page, release, stack, kind, count }: AppError): string {
  const facts = JSON.stringify({ kind, release, page, count });
  // Prevents lines that look like the delimiter.
  const quoted = [text, stack].filter(Boolean).join("\n").replaceAll(/-{8,}/g, "-");
  return `${facts}\n${visibleProse(quoted)}`;
}
