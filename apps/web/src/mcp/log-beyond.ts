import type { McpServerInfo } from "@treadle/protocol";

/** What a server's log says beyond the sentence that is in sight above it. */
export function logBeyond({ log, problem }: Pick<McpServerInfo, "log" | "problem">): string {
  if (!problem) return log;
  return log
    .split("\n")
    .filter((line) => line !== problem.message)
    .join("\n")
    .trim();
}
