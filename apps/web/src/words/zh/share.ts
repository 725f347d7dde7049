import type { share as en } from "../en/share.ts";
import { counted } from "./counted.ts";

export const share = {
  share: "分享",
  about: "给没有账号的人的链接。它只显示您选择的内容，不涉及 Treadle 的其他部分，您随时可以撤回。",
  what: "显示的内容",
  kinds: { preview: "运行中的应用", release: "已发布的版本", conversation: "对话" },
  kindNotes: {
    preview: "即它在这里运行和变化的样子。拿到链接的人可以使用它，也能读到开发服务器提供的源代码。",
    release: "已发布的应用，无论它自己的地址是什么。",
    conversation: "所有对话以及步骤和结论，仅供阅读。密钥和隐藏文件会略去；分享前仍请自行查看。",
  },
  notPublished: "尚未发布任何内容。",
  release: "版本",
  current: "当前发布的版本",
  numbered: (number: number, label: string) =>
    label === "" ? `版本 ${number}` : `版本 ${number}：${label}`,
  ends: "有效期",
  days: (amount: number) => counted(amount, { other: "# 天" }),
  never: "永久",
  password: "密码（可选）",
  costs: "显示各轮的费用",
  source: "允许以 ZIP 下载源代码",
  sourceNote: "不含 .env 文件、密钥和数据，也不含带有您的机密的文件。",
  make: "创建链接",
  copied: "链接已复制。",
  onlyHere:
    "这些链接只能在本机的浏览器中打开：Treadle 不接受其他来源。要给别处的人使用，请将域名指向这里（TREADLE_APPS_DOMAIN）。",
  throughDomain: (domain: string) =>
    `只要 Treadle 前面的网络服务器为 ${domain} 应答，任何拿到链接的人都能打开。`,
  links: "链接",
  endsAt: (when: string) => `有效至 ${when}`,
  endsNever: "永久有效",
  locked: "有密码",
  uses: (amount: number) => (amount === 0 ? "尚未打开" : counted(amount, { other: "已打开 # 次" })),
  usedAt: (when: string) => `最近一次 ${when}`,
  revoke: "撤回",
  revokeAsk: "撤回此链接？",
  revokeAbout: "它不再打开任何内容，正在打开它的人会立即断开。",
  yours: "变成你的",
  yoursAbout: "将链接背后的项目连同文件和对话复制为独立的项目。机密和允许的主机不会一起复制。",
  makeYours: "创建副本",
} satisfies typeof en;
