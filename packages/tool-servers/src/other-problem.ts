import type { McpError } from "@treadle/agent";
import type { McpProblem } from "@treadle/protocol";

/** What happened and what to do, without what was tried. */
export type Why = Omit<McpProblem, "tried" | "said">;

/** What can go wrong with a program and with an address alike. */
export const otherProblem = (error: McpError): Why => ({
  code: error.code === "flood" || error.code === "too-large" ? "too-much" : "failed",
  message: error.message,
  next:
    error.code === "flood" || error.code === "too-large"
      ? "It was ended so that everything else can go on. Restart it, or switch it off."
      : "Try again; its log may say more.",
});
