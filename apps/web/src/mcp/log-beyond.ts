import type { McpServerInfo } from "@treadle/protocol";

/** The server's log beyond the sentence already shown above it. */
export function logBeyond({ log, problem }: Pick<McpServerInfo, "log" | "problem">): string {
  if (!problem) return log;
  return log
    .split("\n")
    .filter((line) => line !== problem.message)
    .join("\n")
    .trim();
}
