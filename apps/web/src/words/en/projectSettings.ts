import { counted } from "./counted.ts";

export const projectSettings = {
  reading: "Reading…",
  hosts: "Allowed hosts",
  hostsAbout:
    "The app's server, every command and the browser that looks at the app reach these hosts. The package registry is open to servers and commands as well, but not to pages. A change takes effect at once.",
  remove: (what: string) => `Remove ${what}`,
  staticHosts: "Fonts, npm's CDNs and stock pictures",
  staticAbout: (amount: number) =>
    counted(amount, {
      one: "# public host that nobody can read back from. It can only be read, never sent anything.",
      other:
        "# public hosts that nobody can read back from. They can only be read, never sent anything.",
    }),
  limitBrowser: "Hold my own browser to these hosts too",
  limitAbout: "In the preview. Otherwise it can fetch what any page can.",
  runsInTab: "Run it in a tab of mine",
  runsInTabAbout:
    "Through WebContainers by StackBlitz, instead of in the sandbox here: install, commands and server run in your browser, whose tab has to stay open. Only Node, no secrets, no list of hosts; that tab looks at the pages. The container is loaded from StackBlitz's hosts, under its terms; commercial use needs a licence.",
  openTab: "Open the tab",
  host: "Host",
  hostHint: "api.example.com, or *.example.com",
  allow: "Allow",
  approvals: "Approvals",
  approvalsAbout:
    "You are always asked about files that agents, editors, git or CI obey, and about scripts that run at an install.",
  whenToAsk: "When to ask",
  modes: {
    ask: { title: "Ask", about: "Before each change and each command." },
    safe: {
      title: "Auto for files",
      about:
        "Writes the project's files; asks about commands. At the end of a turn Treadle runs the project's own scripts (prebuild, build, dev) in the sandbox without asking, and the model may have written them.",
    },
    auto: { title: "Auto", about: "Does whatever stays inside the sandbox." },
  },
  verdicts: "Verdict",
  verdictsAbout: "Checks cost no tokens. What is said to the model after them does.",
  verdictModes: {
    thorough: {
      title: "Thorough",
      about:
        "If the app runs and no check shows what you asked for, the model is told once and may add one.",
    },
    quick: { title: "Quick", about: "The turn ends as soon as the app was seen to run." },
  },
  always: "Always allowed here, without asking",
  askAgain: (what: string) => `Ask again about ${what}`,
  limits: {
    turnDollars: "Dollars a turn",
    turnTokens: "Tokens a turn",
    turnSteps: "Steps a turn",
    turnMinutes: "Minutes a turn",
    projectDollars: "Dollars in all",
    projectTokens: "Tokens in all",
  },
  noLimit: "no limit",
  budget: "Budget",
  budgetAbout:
    "A turn that reaches a limit stops with what it has; Continue goes on from there. Dollars are counted if the model's price is known.",
  setBudget: "Set the budget",
  badLimit: "A limit is a number over 0, or empty for none.",
  moneyUsed: (used: string, of: string) => `${used} of ${of} used`,
  tokensUsed: (used: string, of: string) => `${used} of ${of} tokens used`,
  ownRules: "Your rules",
  ownRulesAbout: "Given to the model in all your projects, from the next turn on.",
  keptBeside: (files: string) => ` Kept beside them in the data folder: ${files}.`,
  ownRulesHint: "Plain CSS instead of Tailwind. Comments in German.",
  keep: "Keep",
  tooLong: (length: string, most: string) => `${length} characters; ${most} is the limit.`,
  rules: "Rules of the project",
  rulesAbout:
    "Files such as AGENTS.md that came with the project. They say how its code is written; they cannot allow the model anything. A change takes effect with the next turn.",
  noRules: "This project has none.",
  ruleFiles: "Files of rules",
  ruleStates: {
    cut: "only its beginning and end are given",
    name: "read by the model when needed",
    off: "switched off",
    other: "not for any file here",
    same: "says the same as one above",
    room: "left out: those above fill the space",
    changed: "changed outside this page, not given until you accept it",
  },
  characters: (amount: number) => counted(amount, { one: "# character", other: "# characters" }),
  outside: "Changed outside this page",
  outsideAbout:
    "By a program of the project, or in another editor while it ran. The model gets skills once you accept them. Agents, editors, git, CI or npm obey the others on your own machine; here only the sandbox does.",
  removed: "removed",
  installScripts: "install scripts",
  accept: "Accept",
  acceptAs: (path: string) => ` ${path} as it is`,
  open: "Open",
  secrets: "Secrets",
  secretsAbout:
    "Keys that the app itself needs. Its server gets each one as a variable of that name, and may reach the host it is for, if it is for one. They are kept encrypted on this server, and are in no message, file, checkpoint or download.",
  forHost: "for",
  aSecret: "A secret",
  name: "Name",
  forTheHost: "For the host (optional)",
  value: "Value",
  takesPlace: "Replaces the stored one",
  replace: "Replace",
  learnsLater: "The preview's server gets it when it starts again.",
  environment: "Where it is used",
  environments: {
    both: "Preview and published",
    preview: "Preview only",
    published: "Published only",
  },
  restart: "Restart it",
};
