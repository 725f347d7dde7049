import type { home as en } from "../en/home.ts";

export const home = {
  heading: "何を作りましょうか？",
  placeholder: "入力した内容を覚えている ToDo アプリ…",
  sayFirst: "まず、何を作るかを一文以上で書いてください。",
  noModel:
    "まだ使えるモデルがありません。プロバイダーのキーを追加するか、ローカルモデルを起動するか、下の録画されたビルドをご覧ください。入力した文章はここに残ります。",
  starting: "開始しています…",
  build: "作成",
  examples: "例",
  recordedAbout:
    "モデルの応答は録画です。ファイル、インストール、サーバー、チェックは実際に動きます。",
  recorded: "録画されたビルド",
  recordedOnly: "モデルがまだありません：録画されたビルドを見る",
  demos: {
    todo: {
      title: "ToDo アプリ",
      about:
        "React と Vite。タスクの追加、完了、編集、削除、絞り込みができ、再読み込みしても残ります。",
    },
    api: {
      title: "小さな API",
      about:
        "Express と SQLite。ブックマークの一覧、検索、追加、変更、削除。誤りの内容も返します。",
    },
    repair: {
      title: "誤りを修正したページ",
      about:
        "最初の版は表示中にエラーを投げます。チェックで見えたことが録画に返され、修正されます。",
    },
  },
  tryAgain: "再試行",
  open: "開く",
  folder: "フォルダー",
  archive: "ZIP",
  repository: "git のアドレス",
  chat: "チャットの書き出し",
  chatAbout:
    "bolt.new または bolt.diy が書き出したチャット（JSON）、または Treadle が書き出したログ（JSON Lines）",
  taken: "取り込んだもの",
  openNamed: (name) => `${name} を開く`,
  gitAddress: "git リポジトリのアドレス",
  gitPlaceholder: "https://github.com/owner/name",
  gitTake: "開く",
  gitBranch: "ブランチ",
  gitUser: "ユーザー名",
  gitPassword: "パスワードまたはトークン",
  gitLocal: "このアドレスで間違いありません",
  gitDoing: (doing, percent) => `${doing}：${percent}%`,
  gitCut: "Treadle との接続が切れました。何も残っていません。もう一度お試しください。",
  gitOpen: "プロジェクトを開く",
  taking: (share) => `取り込み中：${share}%`,
  stopTaking: "停止",
  emptyFolder: "取り込めるファイルがフォルダーにありません。何も作成していません。",
  folderTooLarge:
    "フォルダーが上限の 20,000 ファイルまたは 1 GB を超えています。何も作成していません。",
  yours: "自分のプロジェクト",
  find: "プロジェクトを探す",
  findHint: "プロジェクトを探す…",
  noneFound: "その名前のプロジェクトはありません。",
  moreFor: (name) => `${name} のその他の操作`,
  more: "その他",
  rename: "名前を変更",
  delete: "削除",
  wasDeleted: (name) => `「${name}」を削除しました。`,
  deletedFor: (name, minutes) =>
    `「${name}」は削除されました。あと ${minutes} 分間は残っています。`,
  putBack: "元に戻す",
  putBackNamed: (name) => `${name} を元に戻す`,
  justDeleted: "削除したばかり",
  undo: "取り消す",
  archiveIt: "アーカイブする",
  unarchive: "アーカイブから戻す",
  showArchived: (count) => `アーカイブ済みの ${count} 件を表示`,
  hideArchived: "アーカイブ済みを隠す",
  example: {
    todo: {
      label: "ToDo アプリ",
      prompt:
        "ToDo アプリを作ってください。追加、完了のチェック、未完了と完了の絞り込みができ、ページを再読み込みしてもリストが残るようにしてください。",
    },
    landing: {
      label: "ランディングページ",
      prompt:
        "小さな自転車工房のランディングページを作ってください。営業時間、料金付きの 3 つのサービス、予約フォームを入れてください。",
    },
    dashboard: {
      label: "CSV のダッシュボード",
      prompt:
        "ページにドロップした CSV ファイルを読み込み、列を表で表示し、選んだ数値列を棒グラフで表示するダッシュボードを作ってください。",
    },
    api: {
      label: "小さな API",
      prompt:
        "Express でメモの小さな API を作ってください。一覧、作成、変更、削除ができ、入力を検査し、/ でルートの一覧を返してください。",
    },
    game: {
      label: "ゲーム",
      prompt:
        "canvas でスネークゲームを作ってください。矢印キーとタッチで操作し、スコアと、保存される最高スコアを表示してください。",
    },
  },
} satisfies typeof en;
