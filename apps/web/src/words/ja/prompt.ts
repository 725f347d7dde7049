import type { prompt as en } from "../en/prompt.ts";
import { counted } from "./counted.ts";

export const prompt = {
  brokeOff: "モデルが途中で止まりました。元の文章に戻しました。",
  improving: "改善しています… 中止",
  improveAbout: "作成する前に、モデルに文章をわかりやすくしてもらう",
  improve: "改善",
  undoAbout: "自分の文章に戻す",
  undo: "元に戻す",
  planAbout: "読む、質問する、計画するだけで、何も変更しない",
  plan: "計画",
  commands: "コマンド",
  commandsOffered: (amount) =>
    counted(amount, { other: "コマンド # 件。矢印キーで選択、Enter で決定、Escape で閉じます。" }),
  discuss: "相談",
  discussAbout: "読んで答えるだけで、何も変更しません",
  speak: "音声入力",
  stopListening: "聞き取りを終える",
  mayNotListen: "このブラウザーはページに音声の聞き取りを許可していません。",
  noMicrophone: "マイクが見つかりません。",
  speechOffline: "ブラウザーの音声認識に接続できません。",
  pointAt: "参照",
  thingsOffered: (amount) =>
    counted(amount, { other: "参照先 # 件。矢印キーで選択、Enter で決定、Escape で閉じます。" }),
  tooLong: (length, most) =>
    `${length} 文字あります。送信できるのは ${most} 文字までです。何も切り詰めていません。`,
  about: {
    problems: "今の問題",
    terminal: "ターミナルの最後の数行",
    preview: "ページの表示内容",
    diff: "直前の変更",
    checkpoint: "チェックポイント以降の変更",
  },
  aboutLink: "ウェブページ",
  thingsGiven: (amount) => counted(amount, { other: "# 件を一緒に渡しました" }),
  notFound: "見つかりません",
  notGiven: (why) => `は渡せませんでした：${why}`,
  openFile: (path) => `${path} を開く`,
} satisfies typeof en;
