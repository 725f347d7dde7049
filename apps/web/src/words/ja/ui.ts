import type { ui as en } from "../en/ui.ts";

export const ui = {
  keepIt: "残す",
  cannotCopy: "このブラウザではページからコピーできません。テキストを選択してコピーしてください。",
  copied: "コピーしました",
  close: "閉じる",
  allProjects: "すべてのプロジェクト",
  projectName: "プロジェクト名",
  seconds: (number) => `${number} 秒`,
  minutes: (number) => `${number} 分`,
  tokens: (number) => `${number} トークン`,
  underACent: (cent) => `${cent} 未満`,
  justNow: "たった今",
  minutesAgo: (minutes) => `${minutes} 分前`,
  hoursAgo: (hours) => `${hours} 時間前`,
} satisfies typeof en;
