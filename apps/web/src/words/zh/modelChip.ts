import type { modelChip as en } from "../en/modelChip.ts";

export const modelChip = {
  choose: "选择模型",
  model: "模型",
  modelIs: (label) => `模型：${label}`,
  forPlanning: "规划用模型",
  forPlanningIs: (label) => `规划用模型：${label}`,
  same: "与构建时相同",
  looking: "正在本机查找模型…",
} satisfies typeof en;
