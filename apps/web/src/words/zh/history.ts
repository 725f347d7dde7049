import type { history as en } from "../en/history.ts";

export const history = {
  nothingYet: "还没有检查点。每次更改都会产生一个。",
  checkpoints: "检查点",
  changesOf: (title) => `${title} 的更改`,
  changes: "更改",
  now: "当前",
  asNow: "与当前相同",
  stopFirst: "请先停止当前工作",
  goBackTo: (title) => `回到 ${title}`,
  goBack: "回到此处",
  history: "历史",
} satisfies typeof en;
