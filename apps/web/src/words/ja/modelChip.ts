import type { modelChip as en } from "../en/modelChip.ts";

export const modelChip = {
  choose: "モデルを選択",
  model: "モデル",
  modelIs: (label) => `モデル：${label}`,
  modelFor: (what) => `モデル（${what}）`,
  modelForIs: (what, label) => `モデル（${what}）：${label}`,
  same: "作成時と同じ",
  looking: "このマシンのモデルを探しています…",
} satisfies typeof en;
