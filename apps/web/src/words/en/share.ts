import { counted } from "./counted.ts";

export const share = {
  share: "Share",
  about:
    "A link for somebody without an account. It shows what you choose and nothing else of Treadle, and you can revoke it at any time.",
  what: "What it shows",
  kinds: {
    preview: "The running app",
    release: "What is published",
    conversation: "The conversation",
  },
  kindNotes: {
    preview:
      "As it runs here and changes. Anyone with the link can use it, and read the sources that its development server serves.",
    release: "The published app, whatever its own address is.",
    conversation:
      "All messages, with the steps and verdicts, read-only. Keys and hidden files are left out; look it over all the same.",
  },
  notPublished: "Nothing is published yet.",
  release: "Release",
  current: "The one that is published",
  numbered: (number: number, label: string) =>
    label === "" ? `Release ${number}` : `Release ${number}: ${label}`,
  ends: "Ends after",
  days: (amount: number) => counted(amount, { one: "# day", other: "# days" }),
  never: "Never",
  password: "Password (optional)",
  costs: "Show what the turns cost",
  source: "Let them take the source as a ZIP",
  sourceNote: "Without .env files, keys and data, and without files that hold a secret of yours.",
  make: "Make a link",
  copied: "The link is copied.",
  onlyHere:
    "The links open only in browsers on this machine, because Treadle listens only here. For people elsewhere, point a domain here (TREADLE_APPS_DOMAIN).",
  throughDomain: (domain: string) =>
    `The links open for everybody who has one, through ${domain}, as soon as a web server in front of Treadle answers for it.`,
  links: "Links",
  endsAt: (when: string) => `until ${when}`,
  endsNever: "does not end",
  locked: "with a password",
  uses: (amount: number) =>
    amount === 0
      ? "not opened yet"
      : counted(amount, { one: "opened once", other: "opened # times" }),
  usedAt: (when: string) => `last on ${when}`,
  revoke: "Revoke",
  revokeAsk: "Revoke this link?",
  revokeAbout: "It stops working at once, also for people who have it open.",
  yours: "Make it yours",
  yoursAbout:
    "Copies the project behind the link, with its files and its conversation, as a separate project. Secrets and allowed hosts are not copied.",
  makeYours: "Make a copy",
};
