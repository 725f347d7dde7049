import type { settingsPage as en } from "../en/settingsPage.ts";
import { counted } from "./counted.ts";

export const settingsPage = {
  search: "設定を検索",
  parts: "設定の項目",
  none: (query) => `「${query}」に触れる設定はありません。`,
  sections: {
    models: "モデルとキー",
    approvals: "承認",
    rules: "ルール",
    skills: "スキル",
    hosts: "許可されたホスト",
    secrets: "シークレット",
    tools: "ツール (MCP)",
    budget: "予算",
    appearance: "外観",
    language: "言語",
    shortcuts: "キーボードショートカット",
    about: "このアプリについて",
  },
  modelOfNew: "新しいプロジェクトが使うモデルです。プロジェクトごとに選べます。",
  modelOfProject: "このプロジェクトが使うモデルです。キーはすべてのプロジェクトで共通です。",
  completions: "エディターで入力中の内容をモデルに補完させる",
  completionsAbout:
    "入力が止まるたびに一度モデルに尋ね、プロジェクトの予算から数百～二千トークンを使います。Tab で受け入れ、Esc で拒否します。秘密のファイルは送信されません。",
  completionsModel: "尋ねるモデル",
  completionsOwnModel: "プロジェクトのモデル",
  completionsCost: (count, used) =>
    counted(count, { other: `このプロジェクトでの補完 # 回：${used}` }),
  skillsAbout:
    "モデルがその作業をする前に読む短い手引きです。プロジェクトのものは .agents/skills に、すべてのプロジェクトで使うものはデータフォルダの skills に置きます。",
  skillFrom: {
    treadle: "Treadle 付属",
    person: "あなたのもの",
    project: "このプロジェクトのもの",
  },
  inProjects: "承認、ホスト、シークレット、予算はプロジェクトごとに設定します。",
  aboutAbout: "バージョンと、このマシンが Treadle のためにできること。",
  looking: "このマシンを確認しています…",
  system: "システム",
  machine: "このマシン",
  there: "あり：",
  missing: "なし：",
  lookAgain: "もう一度確認",
  theme: "テーマ",
  themes: {
    system: "システム",
    light: "ライト",
    dark: "ダーク",
  },
  language: "言語",
  browserLanguage: (name) => `ブラウザに合わせる（${name}）`,
  languageAbout: "ページの表示言語です。モデルはあなたが書いた言語で答えます。",
} satisfies typeof en;
