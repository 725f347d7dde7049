import type { editor as en } from "../en/editor.ts";
import { counted } from "./counted.ts";

export const editor = {
  openFiles: "打开的文件",
  notSaved: "（未保存）",
  close: (name) => `关闭 ${name}`,
  split: "并排显示",
  closeBeside: "关闭并排的文件",
  find: "查找",
  replaceWith: "替换为",
  matchCase: "区分大小写",
  wholeWord: "全字匹配",
  expression: "正则表达式",
  noExpression: "不是有效的正则表达式",
  before: "上一个匹配",
  next: "下一个匹配",
  endSearch: "关闭查找",
  replace: "替换",
  replaceAll: "全部替换",
  noMatch: "没有匹配",
  matchOf: (at, all, more) =>
    at === 0
      ? counted(all, { other: "# 个匹配" }) + (more ? "+" : "")
      : `第 ${at} 个，共 ${all}${more ? "+" : ""} 个`,
  hiddenValue: "隐藏的值",
  showValues: "显示值",
  hideValues: "隐藏值",
  badFont: "无法读取该字体。",
  fontSample: "天地玄黄，宇宙洪荒 AaBbCc 0123456789",
} satisfies typeof en;
