import type { DatabaseAnswer, DatabaseQuestion, ProjectPath } from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";
import { ApiFailure } from "../common/api-failure.ts";
import { answerQuestion } from "./answer-question.ts";

/** A question that takes longer is given up: a query without an end, or a database that somebody holds. In milliseconds. */
const ANSWER_MS = 15_000;
/** Characters of an answer. */
const ANSWER_SIZE = 4 * 1024 * 1024;

/** What runs inside: it reads the question and says the answer, or why there is none. */
const PROGRAM = `import { DatabaseSync } from "node:sqlite";
import { once } from "node:events";
import { createInterface } from "node:readline";
const answerQuestion = ${answerQuestion.toString()};
const [line] = await once(createInterface({ input: process.stdin }), "line");
const { path, question } = JSON.parse(line);
let said;
try {
  said = { answer: answerQuestion(DatabaseSync, path, question) };
} catch (error) {
  said = { problem: String(error.message) };
}
process.stdout.write(JSON.stringify(said), () => process.exit());`;

/**
 * Asks a SQLite file of an app in its sandbox: the file may have been made to harm who opens it.
 * @throws ApiFailure 422 `database` with SQLite's words, 504 `database-slow`, 502 where nothing sensible came back
 */
export async function askDatabase(
  workspace: Workspace,
  path: ProjectPath,
  question: DatabaseQuestion,
): Promise<DatabaseAnswer> {
  const pipe = await workspace.pipe(
    `exec node --no-warnings --input-type=module -e "$TREADLE_DATABASE_PROGRAM"`,
    { env: { TREADLE_DATABASE_PROGRAM: PROGRAM } },
  );
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
  }, ANSWER_MS);
  try {
    pipe.write(`${JSON.stringify({ path: `./${path}`, question })}\n`);
    await pipe.ended;
  } finally {
    clearTimeout(timer);
  }
  if (slow)
    throw new ApiFailure(
      504,
      "database-slow",
      `The database did not answer within ${ANSWER_MS / 1000} seconds. Ask for less, or see whether the app holds it.`,
    );
  return readAnswer(Buffer.concat(pieces).toString(), errors);
}

/** A program of the project may have said it in the place of ours: the route takes it by its shape alone. */
function readAnswer(text: string, errors: string): DatabaseAnswer {
  let said: { answer?: DatabaseAnswer; problem?: unknown };
  try {
    said = JSON.parse(text) as typeof said;
  } catch {
    throw new ApiFailure(
      502,
      "database",
      `The database could not be asked: ${errors.trim() || "nothing came back"}`,
    );
  }
  if (said?.answer && typeof said.answer === "object") return said.answer;
  throw new ApiFailure(
    422,
    "database",
    String(said?.problem ?? "Nothing came back.").slice(0, 2_000),
  );
}
