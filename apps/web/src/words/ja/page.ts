import type { page as en } from "../en/page.ts";

export const page = {
  commands: "コマンド",
  skip: "本文へ移動",
  unsafe:
    "サンドボックスがありません。生成されたコードはこのマシンであなたの権限で動き、あなたのファイルを読めます。",
  noSandbox: "生成されたコードはこのマシンでは動きません。“treadle doctor” を実行してください。",
  nothingHere: "このアドレスには何もありません",
  maybeDeleted: "プロジェクトが削除されたか、アドレスが途中で切れています。",
  stopped: "ページが停止しました",
  stoppedSafe: (why) =>
    `${why}。プロジェクトはサーバーに安全に保存されています。ページを再読み込みしてください。`,
  missing:
    "Treadle のこの部分を読み込めませんでした。サーバーが応答しないか、別のバージョンになっています。プロジェクトの内容は失われていません。",
  tryAgain: "もう一度試す",
  reload: "ページを再読み込み",
} satisfies typeof en;
