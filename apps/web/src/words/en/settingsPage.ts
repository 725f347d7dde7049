import { counted } from "./counted.ts";

export const settingsPage = {
  search: "Search the settings",
  parts: "Parts of the settings",
  none: (query: string) => `Nothing in the settings matches “${query}”.`,
  sections: {
    models: "Models and keys",
    approvals: "Approvals",
    rules: "Rules",
    skills: "Skills",
    hosts: "Allowed hosts",
    secrets: "Secrets",
    tools: "Tools (MCP)",
    budget: "Budget",
    appearance: "Appearance",
    language: "Language",
    shortcuts: "Keyboard shortcuts",
    about: "About",
  },
  modelOfNew: "The model for new projects. Each project can choose its own.",
  modelOfProject: "The model for this project. All projects share the keys.",
  completions: "Let a model complete what I type in the editor",
  completionsAbout:
    "It is asked once after each pause in typing, which costs a few hundred to two thousand tokens of the project's budget. Tab accepts what it suggests, Escape refuses it. Files of secrets are never sent.",
  completionsModel: "Model to ask",
  completionsOwnModel: "the project's model",
  completionsCost: (count: number, used: string) =>
    counted(count, {
      one: `# completion in this project: ${used}`,
      other: `# completions in this project: ${used}`,
    }),
  skillsAbout:
    "Short guides that the model reads when it needs them. A project has its own in .agents/skills; yours for all projects are in the skills folder of the data folder.",
  skillFrom: {
    treadle: "Treadle's own",
    person: "yours",
    project: "of this project",
  },
  inProjects: "Approvals, hosts, secrets and budgets are set in each project.",
  aboutAbout: "Versions, and what this machine can do for Treadle.",
  looking: "Looking at this machine…",
  system: "System",
  machine: "This machine",
  there: "There:",
  missing: "Missing:",
  lookAgain: "Look again",
  theme: "Theme",
  themes: {
    system: "System",
    light: "Light",
    dark: "Dark",
  },
  language: "Language",
  browserLanguage: (name: string) => `Same as the browser (${name})`,
  languageAbout: "The page's language. The model answers in the language that you write in.",
};
