import type { McpError } from "@treadle/agent";
import type { McpProblem } from "@treadle/protocol";
import { sentence, type Sentence } from "@treadle/protocol/sentences";

/** A problem, and advice about it. */
export interface Why extends Pick<McpProblem, "code" | "host"> {
  message: Sentence;
  next: Sentence;
}

/** The problem and advice for errors that programs and addresses have in common. */
export const otherProblem = (error: McpError): Why => ({
  code: error.code === "flood" || error.code === "too-large" ? "too-much" : "failed",
  message: error.sentence,
  next:
    error.code === "flood" || error.code === "too-large"
      ? sentence("mcp-do-restart")
      : sentence("mcp-do-log"),
});
