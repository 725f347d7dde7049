import type { AppError } from "@treadle/protocol";
import { visibleProse } from "@treadle/protocol/safe-text";

const LINE = "-".repeat(16);

/**
 * What the model is asked for errors of the published app: what strangers may have written stands between two lines.
 * @param ask what stands before them
 */
export const askFix = (ask: string, errors: readonly AppError[]): string =>
  [ask, LINE, ...errors.map(describeError), LINE].join("\n");

function describeError({ text, page, release, stack, kind, count }: AppError): string {
  const facts = JSON.stringify({ kind, release, page, count });
  // No line of it looks like ours.
  const quoted = [text, stack].filter(Boolean).join("\n").replaceAll(/-{8,}/g, "-");
  return `${facts}\n${visibleProse(quoted)}`;
}
