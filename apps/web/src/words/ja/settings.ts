import type { settings as en } from "../en/settings.ts";

export const settings = {
  theme: "テーマ",
  themes: { system: "システム", light: "ライト", dark: "ダーク" },
  language: "言語",
  browserLanguage: (name) => `ブラウザに合わせる（${name}）`,
  settings: "設定",
  tools: "ツール (MCP)…",
} satisfies typeof en;
