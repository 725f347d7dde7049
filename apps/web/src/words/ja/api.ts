import type { api as en } from "../en/api.ts";

export const api = {
  unreachable:
    "Treadle のサーバーが応答しません。入力した内容はここに残っています。サーバーが動いたらもう一度お試しください。",
  signedOut:
    "このページはサインインしていません。Treadle が起動時に表示したアドレスを開いてください。",
  answeredWith: (status) => `サーバーが ${status} を返しました。もう一度お試しください。`,
  uploadStopped: "アップロードを中止しました。",
  changed: (path) => `${path} はその間に変更されました。何も書き込んでいません。`,
} satisfies typeof en;
