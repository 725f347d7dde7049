import type { verdict as en } from "../en/verdict.ts";

export const verdict = {
  working: "作業中",
  waiting: "返答待ち",
  verified: "検証済み",
  runs: "動作します",
  failed: "失敗",
  unverified: "未検証",
  new: "新規",
} satisfies typeof en;
