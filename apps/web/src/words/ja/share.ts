import type { share as en } from "../en/share.ts";
import { counted } from "./counted.ts";

export const share = {
  share: "共有",
  about:
    "アカウントのない人のためのリンクです。選んだものだけを見せ、Treadle のほかの部分は見せません。いつでも取り消せます。",
  what: "見せるもの",
  kinds: { preview: "動いているアプリ", release: "公開中のもの", conversation: "会話" },
  kindNotes: {
    preview:
      "ここで動き、変わっていくままの姿です。リンクを持つ人はそれを使い、開発サーバーが渡すソースも読めます。",
    release: "公開中のアプリです。そのアドレスが何であっても構いません。",
    conversation:
      "話した内容すべてと、手順、判定。読むだけです。鍵と隠しファイルは省かれますが、念のためご確認ください。",
  },
  notPublished: "まだ何も公開されていません。",
  release: "リリース",
  current: "公開中のもの",
  numbered: (number: number, label: string) =>
    label === "" ? `リリース ${number}` : `リリース ${number}：${label}`,
  ends: "期限",
  days: (amount: number) => counted(amount, { other: "# 日" }),
  never: "なし",
  password: "パスワード（任意）",
  costs: "ターンの費用を見せる",
  source: "ソースを ZIP で渡す",
  sourceNote: ".env ファイル、鍵、データ、および秘密を含むファイルは入りません。",
  make: "リンクを作る",
  copied: "リンクをコピーしました。",
  onlyHere:
    "リンクはこのマシンのブラウザーでしか開けません。Treadle はほかからの接続を受けません。ほかの場所の人に見せるには、ドメインをここに向けてください（TREADLE_APPS_DOMAIN）。",
  throughDomain: (domain: string) =>
    `Treadle の前の Web サーバーが ${domain} に応答すれば、リンクを持つ人は誰でも開けます。`,
  links: "リンク",
  endsAt: (when: string) => `${when} まで`,
  endsNever: "期限なし",
  locked: "パスワードあり",
  uses: (amount: number) =>
    amount === 0 ? "まだ開かれていません" : counted(amount, { other: "# 回開かれました" }),
  usedAt: (when: string) => `最後は ${when}`,
  revoke: "取り消す",
  revokeAsk: "このリンクを取り消しますか？",
  revokeAbout: "何も開けなくなり、開いている人もすぐに切断されます。",
  yours: "自分のものにする",
  yoursAbout:
    "リンクの元のプロジェクトを、ファイルと会話ごと独立したプロジェクトとして複製します。秘密と許可したホストは含まれません。",
  makeYours: "コピーを作る",
} satisfies typeof en;
