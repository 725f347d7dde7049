import type { files as en } from "../en/files.ts";
import { counted } from "./counted.ts";

export const files = {
  gone: (path) => `${path} はもうありません。`,
  deleteOne: (name) => `${name} を削除しますか？`,
  delete: "削除",
  tooManyToUndo: (amount) =>
    counted(amount, {
      other:
        "# 個のファイルが入っていて、多すぎるためここでは元に戻せません。チェックポイントに残したものは履歴から戻せます。",
    }),
  newPath: "新しいファイルのパス",
  tryAgain: "再試行",
  writing: "書き込み中",
  follow: "追う",
  none: "まだファイルがありません。",
  choose: "読んだり編集したりするファイルを選んでください。",
  hide: "ファイルを隠す",
  show: "ファイルを表示",
  reading: "読み込んでいます…",
  states: {
    saved: "保存済み",
    edited: "編集済み",
    saving: "保存しています…",
    written: "書き込み中…",
    conflict: "別の人が変更しました",
    problem: "保存されていません",
  },
  waits: "返答待ち",
  deleted: (name) => `${name} を削除しました。`,
  undo: "元に戻す",
  downloadOne: (name) => `${name} をダウンロード`,
  download: "ダウンロード",
  save: "保存",
  rename: (name) => `${name} の名前を変更`,
  deleteFile: (name) => `${name} を削除`,
  kept: (why) => `${why} 入力したテキストはエディタに残っています。`,
  conflict: "競合",
  changedMeanwhile: (path) =>
    `編集中に ${path} が別の人によって変更されました。何も上書きしていません。これはディスク上のテキストで、あなたのテキストは下のエディタにあります。`,
  deletedMeanwhile: (path) =>
    `編集中に ${path} が別の人によって削除されました。あなたのテキストは下のエディタにあります。`,
  keepMine: "自分のものを残す",
  takeBoth: "両方を取り込む",
  bothStand:
    "下のエディタに両方のテキストがあります。同じ行を両方が変更した箇所には印が付いています。そこを直してから、内容を残してください。",
  keepBoth: "この内容を残す",
  takeTheirs: "ディスクのものを使う",
  letGo: "破棄する",
  onDisk: "ディスク上のテキスト",
  noText: "（テキストではありません）",
  noneFound: "該当するファイルはありません。",
  files: "ファイル",
  newPathOf: (path) => `${path} の新しいパス`,
  readOnly: (from, to, size) => `読み取り専用：${from}〜${to} 行（全体 ${size}）`,
  partBefore: "前の部分",
  nextPart: "次の部分",
  pdf: (size) =>
    `このブラウザーではページ内に PDF（${size}）を表示できません。ダウンロードしてお読みください。`,
  notText: (size) => `このファイルはテキストではありません（${size}）。`,
  textOf: (path) => `${path} のテキスト`,
  filter: "ファイルを絞り込む",
  showAll: "すべてのファイルを表示",
  upload: "ファイルをアップロード（フォルダにドロップも可）",
  toUpload: "アップロードするファイル",
  newFile: "新しいファイル",
  uploading: (amount, percent) =>
    counted(amount, { other: `# 個のファイルをアップロードしています：${percent}%` }),
  notPutBack: (why) => `すべては元に戻せませんでした。${why}`,
  exists: (path) => `${path} はすでにあります。`,
  uploaded: (name) => `${name} をアップロードしました。`,
  uploadedFiles: (amount) => counted(amount, { other: "# 個のファイルをアップロードしました。" }),
} satisfies typeof en;
