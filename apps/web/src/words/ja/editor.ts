import type { editor as en } from "../en/editor.ts";
import { counted } from "./counted.ts";

export const editor = {
  openFiles: "開いているファイル",
  notSaved: "（未保存）",
  close: (name) => `${name} を閉じる`,
  split: "並べて表示",
  closeBeside: "並べたファイルを閉じる",
  find: "検索",
  replaceWith: "置換後の文字列",
  matchCase: "大文字と小文字を区別",
  wholeWord: "単語単位",
  expression: "正規表現",
  noExpression: "正規表現として正しくありません",
  before: "前の一致",
  next: "次の一致",
  endSearch: "検索を閉じる",
  replace: "置換",
  replaceAll: "すべて置換",
  noMatch: "一致なし",
  matchOf: (at, all, more) =>
    at === 0
      ? counted(all, { other: "# 件の一致" }) + (more ? "+" : "")
      : `${all}${more ? "+" : ""} 件中 ${at} 件目`,
  hiddenValue: "隠された値",
  showValues: "値を表示",
  hideValues: "値を隠す",
  badFont: "このフォントは読み取れません。",
  fontSample: "いろはにほへと ちりぬるを AaBbCc 0123456789",
} satisfies typeof en;
