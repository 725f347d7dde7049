import type { Workspace } from "@treadle/workspace";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";

/** Time limit in milliseconds, against endless queries and locked databases. */
const ANSWER_MS = 15_000;
/** Maximum length of an answer, in characters. */
const ANSWER_SIZE = 8 * 1024 * 1024;

/**
 * Sends one line of JSON to a program in the app's sandbox, because a database may be crafted to
 * attack its reader.
 * @returns the answer, which another program of the project may have written
 * @throws ApiFailure 504 `database-slow`, 502 `database` for an invalid answer
 */
export async function askInside(
  workspace: Workspace,
  command: string,
  question: unknown,
  {
    env = {},
    answerMs = ANSWER_MS,
  }: { env?: Record<string, string>; answerMs?: number | undefined } = {},
): Promise<unknown> {
  const pipe = await workspace.pipe(command, { env, leavesFiles: true });
  let errors = "";
  pipe.onErrors((text) => (errors = (errors + text).slice(-2_000)));
  const pieces: Uint8Array[] = [];
  let size = 0;
  pipe.onData((bytes) => {
    size += bytes.length;
    if (size > ANSWER_SIZE) void pipe.kill();
    else pieces.push(bytes);
  });
  let slow = false;
  const timer = setTimeout(() => {
    slow = true;
    void pipe.kill();
  }, answerMs);
  try {
    pipe.write(`${JSON.stringify(question)}\n`);
    await pipe.ended;
  } finally {
    clearTimeout(timer);
  }
  if (slow)
    throw new ApiFailure(
      504,
      "database-slow",
      sentence("database-slow", { seconds: answerMs / 1000 }),
    );
  try {
    return JSON.parse(Buffer.concat(pieces).toString()) as unknown;
  } catch {
    throw new ApiFailure(
      502,
      "database",
      errors.trim() === ""
        ? sentence("database-silent")
        : sentence("database-not-asked", { why: errors.trim() }),
    );
  }
}

/** The error of a failed query: the database's message, if any. */
export const refused = (problem: unknown): ApiFailure =>
  new ApiFailure(
    422,
    "database",
    problem ? { text: String(problem).slice(0, 2_000) } : sentence("database-silent"),
  );
