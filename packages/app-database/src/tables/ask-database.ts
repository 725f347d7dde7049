import type { DatabaseAnswer, DatabaseQuestion, ProjectPath } from "@treadle/protocol";
import { type Workspace } from "@treadle/workspace";
import { fitCells } from "../inside/fit-cells.ts";
import { answerQuestion } from "./answer-question.ts";
import { askInside, refused } from "./ask-inside.ts";

/** The program that runs in the sandbox: reads the query and prints the answer, or an error. */
const PROGRAM = `import { DatabaseSync } from "node:sqlite";
import { once } from "node:events";
import { createInterface } from "node:readline";
const answerQuestion = ${answerQuestion.toString()};
const fitCells = ${fitCells.toString()};
const [line] = await once(createInterface({ input: process.stdin }), "line");
const { path, question } = JSON.parse(line);
let said;
try {
  said = { answer: answerQuestion(DatabaseSync, path, question, fitCells) };
} catch (error) {
  said = { problem: String(error.message) };
}
process.stdout.write(JSON.stringify(said), () => process.exit());`;

/**
 * Queries a SQLite file of an app in its sandbox.
 * @throws ApiFailure 422 `database` with SQLite's message, and as `askInside`
 */
export async function askDatabase(
  workspace: Workspace,
  path: ProjectPath,
  question: DatabaseQuestion,
): Promise<DatabaseAnswer> {
  const answer = (await askInside(
    workspace,
    `exec node --no-warnings --input-type=module -e "$TREADLE_DATABASE_PROGRAM"`,
    { path: `./${path}`, question },
    { env: { TREADLE_DATABASE_PROGRAM: PROGRAM } },
  )) as { answer?: DatabaseAnswer; problem?: unknown } | null;
  if (answer?.answer && typeof answer.answer === "object") return answer.answer;
  throw refused(answer?.problem);
}
