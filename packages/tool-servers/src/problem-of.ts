import { McpError, type McpServerConfig } from "@treadle/agent";
import { errorSentence, sentence, type Sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import type { Why } from "./other-problem.ts";
import { addressProblem } from "./address-problem.ts";
import { whereOf } from "./kept-values.ts";
import { npmLines, npmWord } from "./npm-failure.ts";
import { clip, lastLines } from "./printed-lines.ts";
import { programProblem } from "./program-problem.ts";
import type { RunsWhere } from "./runs-where.ts";

/** A server's problem with its context. */
export interface FoundProblem extends Why {
  /** What was attempted. */
  tried: Sentence;
  /** The end of the program's output, or the first line of the address's answer. */
  said?: string | undefined;
}

/** Maximum characters of the command line or address. */
const WHERE = 300;

/**
 * Describes why a server does not answer, what was tried and what to do about it.
 * @param printed the program's output since it was started, which may be any text
 */
export function problemOf(
  config: McpServerConfig,
  where: RunsWhere,
  error: unknown,
  printed: string,
): FoundProblem {
  if (config.type !== "stdio") {
    const tried = sentence("mcp-called", { address: whereOf(config), kind: config.type });
    const known = asKnown(error);
    const { body } = known.facts;
    return { ...addressProblem(config, known), tried, said: body };
  }
  const tried = sentence("mcp-started", { command: clip(whereOf(config), WHERE), where });
  if (error instanceof ApiFailure && error.code === "no-project")
    return {
      code: "no-project",
      message: error.sentence,
      tried: sentence("mcp-not-started"),
      next: sentence("mcp-do-start"),
    };
  const lines = npmWord(printed) === undefined ? lastLines(printed) : npmLines(printed);
  return {
    ...programProblem(config, where, asKnown(error), printed),
    tried,
    said: lines === "" ? undefined : lines,
  };
}

const asKnown = (error: unknown): McpError =>
  error instanceof McpError ? error : new McpError("failed", errorSentence(error));
