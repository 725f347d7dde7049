import { sentence } from "@treadle/protocol/sentences";
import type { McpError, McpServerConfig } from "@treadle/agent";
import { hostIn, npmWord } from "./npm-failure.ts";
import { otherProblem, type Why } from "./other-problem.ts";
import { clip } from "./printed-lines.ts";
import type { RunsWhere } from "./runs-where.ts";

type Program = McpServerConfig & { type: "stdio" };

/** The reason why a started program does not answer. */
export function programProblem(
  config: Program,
  where: RunsWhere,
  error: McpError,
  printed: string,
): Why {
  const { exit, signal } = error.facts;
  if (exit === 127) return missing(config, where);
  if (exit === 126)
    return {
      code: "missing-program",
      message: sentence("mcp-not-program", { command: clip(config.command, 100) }),
      next: sentence("mcp-do-script"),
    };
  if (exit !== undefined || signal !== undefined) {
    const npm = npmWord(printed);
    if (npm === "E404" || npm === "ETARGET")
      return {
        code: "no-package",
        message: sentence("mcp-no-package", { why: npm }),
        next: sentence("mcp-do-package"),
      };
    if (npm !== undefined) {
      const host = hostIn(printed, where);
      return {
        code: "no-network",
        message: sentence("mcp-package-not-fetched", {
          host: host ?? sentence("package-registry"),
          why: npm,
        }),
        next: sentence("mcp-do-network", { where }),
        host,
      };
    }
    return {
      code: "exited",
      message: error.sentence,
      next: exit === 0 ? sentence("mcp-do-stdio") : sentence("mcp-do-last-lines"),
    };
  }
  if (error.code === "timeout")
    return {
      code: "timeout",
      message: error.sentence,
      next: sentence("mcp-do-slow-start"),
    };
  if (error.code === "malformed")
    return {
      code: "not-mcp",
      message: sentence("mcp-program-not-tool-server"),
      next: sentence("mcp-do-speaks-mcp"),
    };
  return otherProblem(error);
}

const missing = ({ command }: Program, where: RunsWhere): Why => ({
  code: "missing-program",
  message: sentence("mcp-program-missing", { command: clip(command, 100), where }),
  next: where === "machine" ? sentence("mcp-do-install") : sentence("mcp-do-inside"),
});
