import type { settings as en } from "../en/settings.ts";

export const settings = {
  theme: "Tema",
  themes: { system: "Sistema", light: "Claro", dark: "Escuro" },
  language: "Idioma",
  browserLanguage: (name) => `Como o navegador (${name})`,
  settings: "Configurações",
  tools: "Ferramentas (MCP)…",
} satisfies typeof en;
