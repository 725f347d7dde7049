import type { McpServerInfo } from "@treadle/protocol";

/** The server's log without lines that repeat the problem's message, which is shown above the log. */
export function logBeyond({ log, problem }: Pick<McpServerInfo, "log" | "problem">): string {
  if (!problem) return log;
  return log
    .split("\n")
    .filter((line) => line !== problem.message)
    .join("\n")
    .trim();
}
