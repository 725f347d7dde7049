import type { McpError, McpServerConfig } from "@treadle/agent";
import { hostIn, npmWord } from "./npm-failure.ts";
import { otherProblem, type Why } from "./other-problem.ts";
import { clip } from "./printed-lines.ts";
import type { RunsWhere } from "./runs-where.ts";

type Program = McpServerConfig & { type: "stdio" };

/** Why a program that was started is not spoken to. */
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
      message: `“${clip(config.command, 100)}” is not a program that can be started.`,
      next: "Check the command: a script is started with what runs it, as in “node server.js”.",
    };
  if (exit !== undefined || signal !== undefined) {
    const npm = npmWord(printed);
    if (npm === "E404" || npm === "ETARGET")
      return {
        code: "no-package",
        message: `The registry has no such package (${npm}).`,
        next: "Check the package’s name and version, then try again.",
      };
    if (npm !== undefined) {
      const host = hostIn(printed, where);
      return {
        code: "no-network",
        message: `Its package was not fetched: ${host ?? "the package registry"} was not reached (${npm}).`,
        next:
          where === "sandbox"
            ? "The sandbox reaches the package registry and the hosts that the project’s settings name. Check that this machine reaches the registry, then try again."
            : "Check that this machine reaches it, then try again.",
        host,
      };
    }
    return {
      code: "exited",
      message: error.message,
      next:
        exit === 0
          ? "A tool server goes on running and speaks over stdin and stdout: check that the command starts one."
          : "Its last lines may say why. Change its command or its values with Edit, then try again.",
    };
  }
  if (error.code === "timeout")
    return {
      code: "timeout",
      message: error.message,
      next: "What npx starts is fetched first, which can take longer than that: try again. If that does not help, check that the command starts a server that speaks over stdin and stdout.",
    };
  if (error.code === "malformed")
    return {
      code: "not-mcp",
      message: "What was started is not a tool server: it sent an invalid answer.",
      next: "Check that the command starts a server that speaks MCP over stdin and stdout.",
    };
  return otherProblem(error);
}

const missing = ({ command }: Program, where: RunsWhere): Why => ({
  code: "missing-program",
  message: `There is no program “${clip(command, 100)}” ${where === "machine" ? "on this machine" : "inside the sandbox"}.`,
  next:
    where === "machine"
      ? "Install it on this machine, or give its full path."
      : "It is looked for inside the sandbox, which has Node, npm and npx, and not all that is installed on this machine. Use a command that npx can fetch, or one that is there. You can also trust a server of all projects: it then runs on this machine itself.",
});
