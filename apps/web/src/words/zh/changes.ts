import type { changes as en } from "../en/changes.ts";
import { counted } from "./counted.ts";

export const changes = {
  nothingYet: "还没有任何更改。",
  changes: "更改",
  sinceLastTurn: "自上一轮开始",
  sinceFirst: "自第一个检查点",
  ofChosen: "所选检查点的更改",
  files: (amount) => counted(amount, { other: "# 个文件" }),
  comparing: "正在比较…",
  tryAgain: "重试",
  noDifferences: "没有差异。",
  kinds: { added: "新增", changed: "已修改", removed: "已删除" },
  openFile: (name) => `打开 ${name}`,
  open: "打开",
  notText: "不是文本。",
  tooMuch: "更改太多，无法在此显示此文件。请打开文件查看。",
  noLines: "没有可逐行显示的内容。",
  moreLines: (amount) => counted(amount, { other: "还有 # 行：显示更多" }),
} satisfies typeof en;
