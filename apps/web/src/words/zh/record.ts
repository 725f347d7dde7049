import type { record as en } from "../en/record.ts";

export const record = {
  title: "录制检查",
  close: "停止录制",
  about: "像用户一样使用应用。您的操作会逐步添加到这里。",
  steps: "步骤",
  step: "步骤",
  remove: (step: string) => `移除：${step}`,
  noStep: "检查中没有这样的步骤",
  full: (most: number) => `一个检查最多 ${most} 步。`,
  secrets: "按输入的内容录制密码。",
  secretsAbout: "否则以 {new} 代替：每次运行用不同的值。",
  expectsNothing: "它还没有预期任何内容，因此什么也证明不了。",
  expect: "添加预期",
  expecting: "点击应当出现的内容",
  name: "检查名称",
  nameHint: "添加任务并保留",
  save: "保存并运行",
  saved: (name: string) => `“${name}”已加入项目的检查。`,
  running: "正在运行…",
  notRun: "没有运行。",
  refused: {
    "same-name": "已有同名检查。请换一个名称。",
    "not-read": "检查文件无法接收它。请打开文件查看末尾。",
  },
} satisfies typeof en;
