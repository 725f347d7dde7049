import type { history as en } from "../en/history.ts";

export const history = {
  nothingYet: "まだチェックポイントはありません。変更のたびに作られます。",
  checkpoints: "チェックポイント",
  changesOf: (title) => `${title} の変更`,
  changes: "変更",
  now: "現在",
  asNow: "現在と同じ",
  stopFirst: "先に作業を止めてください",
  goBackTo: (title) => `${title} に戻る`,
  goBack: "ここに戻る",
  history: "履歴",
} satisfies typeof en;
