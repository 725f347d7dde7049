import { McpError, type McpServerConfig } from "@treadle/agent";
import type { McpProblem } from "@treadle/protocol";
import { ApiFailure } from "@treadle/common";
import { addressProblem } from "./address-problem.ts";
import { whereOf } from "./kept-values.ts";
import { npmLines, npmWord } from "./npm-failure.ts";
import { clip, lastLines } from "./printed-lines.ts";
import { programProblem } from "./program-problem.ts";
import type { RunsWhere } from "./runs-where.ts";

/** Characters of what was started. */
const WHERE = 300;

/**
 * Why a server does not answer, what was tried and what to do about it.
 * @param printed what it printed since it was started; may be anything
 */
export function problemOf(
  config: McpServerConfig,
  where: RunsWhere,
  error: unknown,
  printed: string,
): McpProblem {
  if (config.type !== "stdio") {
    const tried = `Called ${whereOf(config)} (${config.type === "sse" ? "SSE" : "streamable HTTP"}).`;
    const known = asKnown(error);
    const { body } = known.facts;
    return { ...addressProblem(config, known), tried, said: body };
  }
  const tried = `Started “${clip(whereOf(config), WHERE)}” ${
    where === "machine" ? "on this machine" : "inside the project’s sandbox"
  }.`;
  if (error instanceof ApiFailure && error.code === "no-project")
    return {
      code: "no-project",
      message: error.message,
      tried: "It was not started.",
      next: "Start it in the settings of a project, or let a turn begin.",
    };
  const lines = npmWord(printed) === undefined ? lastLines(printed) : npmLines(printed);
  return {
    ...programProblem(config, where, asKnown(error), printed),
    tried,
    said: lines === "" ? undefined : lines,
  };
}

const asKnown = (error: unknown): McpError =>
  error instanceof McpError
    ? error
    : new McpError("failed", error instanceof Error ? error.message : String(error));
