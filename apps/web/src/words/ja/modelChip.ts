import type { modelChip as en } from "../en/modelChip.ts";

export const modelChip = {
  choose: "モデルを選択",
  model: "モデル",
  modelIs: (label) => `モデル：${label}`,
  forPlanning: "計画用のモデル",
  forPlanningIs: (label) => `計画用のモデル：${label}`,
  same: "作成時と同じ",
  looking: "このマシンのモデルを探しています…",
} satisfies typeof en;
