import type { git as en } from "../en/git.ts";
import { counted } from "./counted.ts";

export const git = {
  title: "Git リポジトリ",
  about:
    "プロジェクトをあなたのリポジトリへプッシュします。1 ターンごとに判定付きの 1 コミットです。ほかの人がプッシュしたものはプルします。",
  existing: "既存のリポジトリ",
  branch: "ブランチ",
  choose: "これを使う",
  create: "新しいリポジトリ",
  forge: "場所",
  server: "サーバーのアドレス",
  ownServer: "自前のサーバーのアドレス（任意）",
  serverPlaceholder: "https://git.example.com",
  name: "リポジトリ名",
  owner: "組織またはグループ（任意）",
  token: "トークン",
  tokenNote:
    "リポジトリを作成できる権限が必要です。そのホスト専用に Treadle のサーバーに保管され、サンドボックスには渡されません。",
  private: "非公開",
  createAndPush: "作成してプッシュ",
  login: "ログイン",
  kept: "そのホスト専用に Treadle のサーバーに保管され、サンドボックスには渡されません。",
  signIn: "このログインを使う",
  sshKey:
    "Treadle 自身の鍵です。サーバーがあなたの鍵を知らない場合は、先方のアカウントに追加してください。",
  copyKey: "鍵をコピー",
  knownAs: (user) => `${user} のログインが保管されています。`,
  forgetLogin: "ログインを忘れる",
  onBranch: (branch) => `ブランチ ${branch}`,
  push: "プッシュ",
  pull: "プル",
  squash: "全ターンを 1 コミットにまとめてプッシュ",
  doing: { push: "プッシュ中…", pull: "プル中…", forget: "接続を解除中…", create: "作成中…" },
  pushed: (amount) =>
    amount === 0
      ? "すでにすべて届いています。"
      : counted(amount, { other: "# 件のコミットをプッシュしました。" }),
  current: "プルするものはありません。",
  pulled: (amount) =>
    amount === 0
      ? "プルしました。変わったファイルはありません。"
      : counted(amount, { other: "プルしました：# 件のファイルが変わりました。" }),
  changedAgain: "その間に一方が変更されました。何も取り込んでいません。もう一度ご確認ください。",
  conflicts: "双方が変更したファイル",
  conflictsAbout:
    "これらのファイルは双方で変更されています。まだ何も変えていません。それぞれ選んでください。",
  ours: "自分の",
  theirs: "相手の",
  takeOurs: "自分のを使う",
  takeTheirs: "相手のを使う",
  takeBoth: "両方を編集",
  bothOf: (name) => `${name} の両方のテキスト`,
  marks: "まだ印（<<<<<<<、>>>>>>>）が残っています。両方をまとめ、印を消してください。",
  notThere: "（ありません）",
  settle: "この内容でプル",
  stillOpen: (amount) => counted(amount, { other: "# 件のファイルが未選択です。" }),
  forget: "接続を解除",
  forgetAbout: "Treadle がこのリポジトリを忘れます。リポジトリ側は何も変わりません。",
  folder: "ディスク上のフォルダー",
  folderAbout:
    "ターミナルでこれを実行している間、フォルダーでの変更はここに、ここでの変更はフォルダーに反映されます。両方で変更されたファイルは、どちらの内容も残ります。",
  copyCommand: "コマンドをコピー",
} satisfies typeof en;
