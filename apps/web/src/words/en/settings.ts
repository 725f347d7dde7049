export const settings = {
  theme: "Theme",
  themes: { system: "System", light: "Light", dark: "Dark" },
  language: "Language",
  browserLanguage: (name: string) => `As the browser (${name})`,
  settings: "Settings",
  tools: "Tools (MCP)…",
};
