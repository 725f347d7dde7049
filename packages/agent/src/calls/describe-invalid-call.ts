import { tailOf } from "@treadle/protocol/safe-text";
import { InvalidToolInputError, NoSuchToolError } from "ai";
import { z } from "zod";
import { clipLine } from "../text/clip.ts";
import { ALL_TOOLS } from "../tools/all-tools.ts";

/**
 * The library's message repeats all arguments, which may contain a file; the error itself is at the end of the message.
 */
const REASON_LIMIT = 600;

/** The message for the model about an unparsable call (F6). */
export function describeInvalid(
  tool: string,
  error: unknown,
  foreign: readonly { name: string }[] = [],
): string {
  if (NoSuchToolError.isInstance(error))
    return `There is no tool called ${tool}. There are: ${[...ALL_TOOLS, ...foreign].map(({ name }) => name).join(", ")}.`;
  const cause = InvalidToolInputError.isInstance(error) ? rootOf(error.cause) : error;
  const reason = reasonOf(cause);
  const end = reason.length > REASON_LIMIT ? `…${tailOf(reason, REASON_LIMIT)}` : reason;
  return `The arguments of ${tool} could not be understood, so nothing was done: ${clipLine(end, REASON_LIMIT + 1)}`;
}

function reasonOf(cause: unknown): string {
  // `message` of a schema's error is JSON with all its issues.
  if (cause instanceof z.ZodError) return z.prettifyError(cause);
  return cause instanceof Error ? cause.message : String(cause);
}

function rootOf(error: unknown): unknown {
  let current = error;
  for (let depth = 0; depth < 3; depth++) {
    if (!(current instanceof Error) || current.cause === undefined) break;
    current = current.cause;
  }
  return current;
}
