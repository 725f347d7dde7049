import type { projectSettings as en } from "../en/projectSettings.ts";
import { counted } from "./counted.ts";

export const projectSettings = {
  reading: "読み込んでいます…",
  hosts: "許可されたホスト",
  hostsAbout:
    "アプリのサーバー、すべてのコマンド、アプリを確認するブラウザがこれらのホストに接続できます。パッケージレジストリにも接続できますが、ページからはできません。変更はすぐに有効になります。",
  remove: (what) => `${what} を取り除く`,
  staticHosts: "フォント、npm の CDN、素材画像",
  staticAbout: (amount) =>
    counted(amount, {
      other: "誰もデータを読み出せない公開ホスト # 件。取得するだけで、何も送信しません。",
    }),
  limitBrowser: "自分のブラウザもこれらのホストに限る",
  limitAbout: "プレビューで有効です。そうでなければ、通常のページと同じものを取得します。",
  runsInTab: "自分のタブで動かす",
  runsInTabAbout:
    "ここのサンドボックスの代わりに StackBlitz の WebContainers を使います。インストール、コマンド、サーバーはあなたのブラウザーで動き、そのタブは開いたままにします。Node だけで、シークレットとホストの一覧はありません。ページはそのタブが見ます。コンテナは StackBlitz のホストから読み込まれ、その規約が適用されます。商用利用にはライセンスが必要です。",
  openTab: "タブを開く",
  host: "ホスト",
  hostHint: "api.example.com または *.example.com",
  allow: "許可",
  approvals: "承認",
  approvalsAbout:
    "エージェント、エディタ、git、CI が従うファイルと、インストール時に動くスクリプトは常に確認します。",
  whenToAsk: "確認するタイミング",
  modes: {
    ask: { title: "確認する", about: "変更とコマンドのたびに確認します。" },
    safe: {
      title: "ファイルは自動",
      about:
        "プロジェクトのファイルは書き込み、コマンドは確認します。ターンの最後に、プロジェクト自身のスクリプト（prebuild、build、dev）を確認なしでサンドボックス内で実行します。それらはモデルが書いたものかもしれません。",
    },
    auto: { title: "自動", about: "サンドボックス内で済むことはすべて実行します。" },
  },
  verdicts: "判定",
  verdictsAbout: "チェックにトークンはかかりません。その後モデルに伝える分にはかかります。",
  verdictModes: {
    thorough: {
      title: "念入り",
      about:
        "アプリは動くが、依頼された内容を示すチェックがないとき、モデルに一度だけ伝え、チェックを足せるようにします。",
    },
    quick: { title: "すばやく", about: "アプリが動くとわかった時点でターンを終えます。" },
  },
  always: "ここでは確認せず常に許可",
  askAgain: (what) => `${what} を再び確認する`,
  limits: {
    turnDollars: "ターンごとのドル",
    turnTokens: "ターンごとのトークン",
    turnSteps: "ターンごとのステップ",
    turnMinutes: "ターンごとの分",
    projectDollars: "合計ドル",
    projectTokens: "合計トークン",
  },
  noLimit: "上限なし",
  budget: "予算",
  budgetAbout:
    "上限に達したターンはその時点で停止し、「続ける」で再開できます。ドルはモデルの価格がわかる場合に計算します。",
  setBudget: "予算を設定",
  badLimit: "上限は 0 より大きい数です。空欄なら上限なしです。",
  moneyUsed: (used, of) => `${of} のうち ${used} を使用`,
  tokensUsed: (used, of) => `${of} トークンのうち ${used} を使用`,
  ownRules: "あなたのルール",
  ownRulesAbout: "次のターンから、すべてのプロジェクトでモデルに伝えます。",
  keptBeside: (files) => `データフォルダにも保存されています：${files}。`,
  ownRulesHint: "Tailwind ではなく素の CSS。コメントは日本語で。",
  keep: "保存",
  tooLong: (length, most) => `${length} 文字あります。上限は ${most} 文字です。`,
  rules: "プロジェクトのルール",
  rulesAbout:
    "AGENTS.md など、プロジェクトに付属するファイルです。コードの書き方を示すだけで、モデルに権限は与えません。変更は次のターンから有効です。",
  noRules: "このプロジェクトにはありません。",
  ruleFiles: "ルールのファイル",
  ruleStates: {
    cut: "最初と最後だけを伝えます",
    name: "必要なときにモデルが読みます",
    off: "オフ",
    other: "ここのどのファイルにも該当しません",
    same: "上のものと同じ内容です",
    room: "上のもので枠が埋まったため省略",
    changed: "このページの外で変更されたため、承認するまで伝えません",
  },
  characters: (amount) => counted(amount, { other: "# 文字" }),
  outside: "このページの外で変更されました",
  outsideAbout:
    "プロジェクトのプログラム、または実行中に別のエディタで変更されました。スキルは承認後にモデルへ伝えます。その他は自分のマシンのエージェント、エディタ、git、CI、npm が従い、ここではサンドボックスだけが従います。",
  removed: "削除済み",
  installScripts: "インストールスクリプト",
  accept: "承認",
  acceptAs: (path) => `（${path} をこのまま）`,
  open: "開く",
  secrets: "シークレット",
  secretsAbout:
    "アプリ自体に必要なキーです。サーバーは同じ名前の環境変数として受け取り、対象のホストがあればそこに接続できます。このサーバーに暗号化して保存され、メッセージ、ファイル、チェックポイント、ダウンロードには含まれません。",
  forHost: "対象：",
  aSecret: "シークレット",
  name: "名前",
  forTheHost: "対象のホスト（任意）",
  value: "値",
  takesPlace: "保存済みの値を置き換えます",
  replace: "置き換える",
  learnsLater: "プレビューのサーバーには再起動後に反映されます。",
  environment: "使う側",
  environments: { both: "プレビューと公開", preview: "プレビューのみ", published: "公開のみ" },
  restart: "再起動",
} satisfies typeof en;
