import type { settings as en } from "../en/settings.ts";

export const settings = {
  theme: "主题",
  themes: { system: "跟随系统", light: "浅色", dark: "深色" },
  language: "语言",
  browserLanguage: (name) => `跟随浏览器（${name}）`,
  settings: "设置",
  tools: "工具 (MCP)…",
} satisfies typeof en;
