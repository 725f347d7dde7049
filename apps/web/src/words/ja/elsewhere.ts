import type { elsewhere as en } from "../en/elsewhere.ts";

export const elsewhere = {
  nothing: "まだ公開されていません。公開するとリリースを送れます。",
  target: "送信先",
  names: {
    netlify: "Netlify",
    vercel: "Vercel",
    cloudflare: "Cloudflare Workers",
    "github-pages": "GitHub Pages",
    coolify: "Coolify",
    dokploy: "Dokploy",
    rsync: "任意のサーバー（rsync）",
    registry: "コンテナレジストリ",
  },
  about: {
    netlify:
      "ここで配信しているファイルをそのまま送ります。サイトを指定しない場合は、ここでの名前で作成します。",
    vercel:
      "ここで配信しているファイルをそのまま送り、送信先ではビルドしません。プロジェクトを指定しない場合は、ここでの名前を使います。",
    cloudflare:
      "ファイルは Worker の静的アセットになります。アカウント ID はダッシュボードのアドレスにあります。",
    "github-pages":
      "ファイルを専用のブランチにプッシュし、GitHub が表示します。リポジトリは先に用意してください。",
    coolify:
      "リリースを Dockerfile とともにリポジトリのブランチへプッシュし、Coolify がビルドして実行します。",
    dokploy:
      "リリースを Dockerfile とともにリポジトリのブランチへプッシュし、Dokploy がビルドして実行します。",
    rsync:
      "Treadle が ssh で接続するサーバーのフォルダーへファイルをコピーします。含まれなくなったものはそこから削除されます。",
    registry:
      "このマシンの Docker でイメージをビルドし、リリース番号と latest のタグでプッシュします。",
  },
  sitesOnly:
    "これは独自のサーバーを持つアプリで、ここではファイルだけを受け付けます。Coolify、Dokploy、コンテナレジストリなら送れます。",
  fields: {
    site: "サイト（名前または ID）",
    project: "プロジェクト",
    team: "チーム（ID またはスラッグ）",
    account: "アカウント ID",
    script: "Worker の名前",
    repository: "リポジトリ",
    branch: "ブランチ",
    server: "サーバーのアドレス",
    machine: "サーバー（ID）",
    environment: "環境",
    application: "アプリケーション（ID）",
    key: "送信先のデプロイキー（ID）",
    image: "イメージ",
    user: "ユーザー名",
    folder: "サーバーとフォルダー",
    address: "サイトのアドレス",
  },
  more: (amount: number) => `省略できる項目（${amount}）`,
  optional: (field: string) => `${field}（任意）`,
  token: "トークン",
  password: "パスワードまたはトークン",
  tokenNote:
    "サーバーに保存され、すべてのプロジェクトで使われます。誰にも表示されず、アプリからも見えません。",
  tokenKept: "トークンはサーバーに保存されています。",
  forgetToken: "忘れる",
  meant: "意図したものです：送信する",
  send: (release: number) => `リリース ${release} を送信`,
  stop: "停止",
  onItsWay: "送信中です",
  deployments: "これまでの送信",
  states: { sending: "送信中", ready: "公開済み", failed: "失敗", stopped: "停止" },
} satisfies typeof en;
