import type { tab as english } from "../en/tab.ts";

export const tab = {
  title: "このプロジェクトはこのタブで動いています",
  states: {
    starting: "コンテナを起動しています…",
    running: "準備ができました。",
    lost: "サーバーが応答しません。再試行しています…",
    elsewhere: "いまは別のタブで動いています。取り戻すには、このページを再読み込みしてください。",
    broken: "続けられませんでした。",
  },
  notYet:
    "まだ届いていません。ブラウザーは下のホストから取得します。ネットワークやブロッカーが止めていると、このページは待ち続けます。",
  about:
    "このタブを開いたままにしてください。閉じると、実行が必要なものはすべて待ちます。コンテナは StackBlitz（stackblitz.com、webcontainer.io、webcontainer-api.io、staticblitz.com）のもので、その利用規約が適用されます。商用利用には同社のライセンスが必要です。",
  preview: "動いているアプリ",
  output: "出力",
  notIsolated:
    "ブラウザーがこのページを分離しませんでした。WebContainers が対応するブラウザーで、アドレスを単独のタブに開いてください。",
} satisfies typeof english;
