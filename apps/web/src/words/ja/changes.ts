import type { changes as en } from "../en/changes.ts";
import { counted } from "./counted.ts";

export const changes = {
  nothingYet: "まだ何も変更されていません。",
  changes: "変更",
  sinceLastTurn: "前回のターンの開始から",
  sinceFirst: "最初のチェックポイントから",
  ofChosen: "選んだチェックポイントの変更",
  files: (amount) => counted(amount, { other: "# 個のファイル" }),
  comparing: "比較しています…",
  tryAgain: "再試行",
  noDifferences: "違いはありません。",
  kinds: { added: "追加", changed: "変更", removed: "削除" },
  openFile: (name) => `${name} を開く`,
  open: "開く",
  notText: "テキストではありません。",
  tooMuch: "変更が多すぎるため、ここには表示できません。ファイルを開いて確認してください。",
  noLines: "行ごとに表示するものはありません。",
  moreLines: (amount) => counted(amount, { other: "残り # 行：さらに表示" }),
} satisfies typeof en;
