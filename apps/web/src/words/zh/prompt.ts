import type { prompt as en } from "../en/prompt.ts";
import { counted } from "./counted.ts";

export const prompt = {
  brokeOff: "模型中途停止了。已恢复你自己的文字。",
  improving: "正在润色… 停止",
  improveAbout: "在开始构建之前，让模型把它说得更清楚",
  improve: "润色",
  undoAbout: "恢复你自己的文字",
  undo: "撤销",
  planAbout: "只阅读、提问和规划，不做任何更改",
  plan: "规划",
  commands: "命令",
  commandsOffered: (amount) =>
    counted(amount, { other: "# 个命令。方向键选择，Enter 采用，Escape 关闭。" }),
  discuss: "讨论",
  discussAbout: "阅读、查看并回答；不做任何更改",
  speak: "语音输入",
  stopListening: "停止聆听",
  mayNotListen: "此浏览器不允许页面使用麦克风。",
  noMicrophone: "未找到麦克风。",
  speechOffline: "无法连接浏览器的语音识别服务。",
  pointAt: "引用",
  thingsOffered: (amount) =>
    counted(amount, { other: "# 个可引用项。方向键选择，Enter 采用，Escape 关闭。" }),
  tooLong: (length, most) => `共 ${length} 个字符；最多可发送 ${most} 个。没有截断任何内容。`,
  about: {
    problems: "当前的问题",
    terminal: "终端的最后几行",
    preview: "页面显示的内容",
    diff: "上次的更改",
    checkpoint: "自某个检查点以来的更改",
  },
  aboutLink: "一个网页",
  thingsGiven: (amount) => counted(amount, { other: "附带了 # 项内容" }),
  notFound: "未找到",
  notGiven: (why) => `未能附带：${why}`,
  openFile: (path) => `打开 ${path}`,
} satisfies typeof en;
