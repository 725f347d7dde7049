import type { ui as en } from "../en/ui.ts";

export const ui = {
  keepIt: "保留",
  cannotCopy: "此浏览器不允许页面复制。请选中文字后手动复制。",
  copied: "已复制",
  close: "关闭",
  allProjects: "所有项目",
  projectName: "项目名称",
  seconds: (number) => `${number} 秒`,
  minutes: (number) => `${number} 分钟`,
  tokens: (number) => `${number} token`,
  underACent: (cent) => `不到 ${cent}`,
  justNow: "刚刚",
  minutesAgo: (minutes) => `${minutes} 分钟前`,
  hoursAgo: (hours) => `${hours} 小时前`,
} satisfies typeof en;
