import type { verdict as en } from "../en/verdict.ts";

export const verdict = {
  working: "进行中",
  waiting: "等待你",
  verified: "已验证",
  runs: "可运行",
  failed: "失败",
  unverified: "未验证",
  new: "新建",
} satisfies typeof en;
