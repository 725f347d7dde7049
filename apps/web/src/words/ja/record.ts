import type { record as en } from "../en/record.ts";

export const record = {
  title: "チェックを記録",
  close: "記録をやめる",
  about: "利用者としてアプリを使ってください。操作がステップとしてここに加わります。",
  steps: "ステップ",
  step: "ステップ",
  remove: (step: string) => `取り除く: ${step}`,
  noStep: "チェックにこのようなステップはありません",
  full: (most: number) => `チェックのステップは ${most} 個までです。`,
  secrets: "パスワードを入力どおりに記録する。",
  secretsAbout: "しない場合は {new}（実行ごとに別の値）になります。",
  expectsNothing: "まだ何も期待していないため、何も証明しません。",
  expect: "期待を加える",
  expecting: "期待するものをクリックしてください",
  name: "チェックの名前",
  nameHint: "タスクを追加して残す",
  save: "保存して実行",
  saved: (name: string) => `「${name}」をプロジェクトのチェックに加えました。`,
  running: "実行しています…",
  notRun: "実行されませんでした。",
  refused: {
    "same-name": "同じ名前のチェックがあります。別の名前にしてください。",
    "not-read": "チェックのファイルに加えられませんでした。開いて末尾を確かめてください。",
  },
} satisfies typeof en;
