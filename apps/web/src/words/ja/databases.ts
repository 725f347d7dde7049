import type { databases as en } from "../en/databases.ts";
import { counted } from "./counted.ts";

export const databases = {
  title: "アプリのデータ",
  open: "中身を表示",
  reading: "アプリが書き込んだ内容を読んでいます…",
  none: "アプリにはまだデータベースがありません。data/app.db などの SQLite ファイルや、PostgreSQL のデータがここに表示されます。",
  database: "データベース",
  of: { preview: "プレビュー", published: "公開中" },
  table: "テーブル",
  language: "SQL",
  asFile: "データベースをダウンロード",
  asCsv: "CSV でダウンロード",
  given: (name: string) => `${name} に使うファイル`,
  putFile: "別のデータベースで置き換える…",
  putCsv: "CSV から行を追加…",
  putAsk: (name: string) => `${name} をこのファイルで置き換えますか？`,
  putAbout:
    "データベースの内容はすべて置き換えられます。現在の内容のコピーは .data/copies に残ります。",
  putAction: "置き換える",
  back: (name: string) => `このコピーで ${name} を元に戻す…`,
  backAsk: (name: string) => `このコピーで ${name} を元に戻しますか？`,
  backAbout:
    "データベースの内容はすべて、そのときの内容に置き換えられます。現在の内容のコピーは .data/copies に残ります。それより後のマイグレーションは、サーバーの起動前にもう一度実行されます。",
  backAction: "元に戻す",
  filter: "行を検索",
  rows: (amount: number, more = false) =>
    more ? counted(amount, { other: "最初の # 行" }) : counted(amount, { other: "# 行" }),
  edit: (column: string) => `${column} を編集`,
  addRow: "行を追加",
  removeRow: "行を削除",
  removeAsk: "この行を削除しますか？",
  removeAbout: "データベースからすぐに削除され、元に戻せません。",
  cancel: "キャンセル",
  before: "前の行",
  next: "次の行",
  sql: "実行する SQL",
  run: "実行",
  changed: (amount: number) => counted(amount, { other: "# 行を変更しました" }),
  result: "結果",
} satisfies typeof en;
