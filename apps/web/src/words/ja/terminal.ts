import type { terminal as en } from "../en/terminal.ts";

export const terminal = {
  restartServer: "サーバーを再起動",
  stopServer: "サーバーを停止",
  startServer: "サーバーを起動",
  serverOutput: "サーバーの出力",
  noServer: "まだサーバーを起動していません。",
  keys: "キー",
  terminal: (name) => `ターミナル ${name}`,
  terminals: "ターミナル",
  server: "サーバー",
  close: (name) => `${name} を閉じる`,
  newTerminal: "新しいターミナル",
  closeAll: "ターミナルを閉じる",
  opening: "ターミナルを開いています…",
  ended: (code) => `シェルがコード ${code} で終了しました。`,
  lost: "ターミナルとの接続が切れました。",
  trying: " 再接続しています…",
  openAgain: "もう一度開く",
} satisfies typeof en;
