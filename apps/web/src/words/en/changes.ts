import { counted } from "./counted.ts";

export const changes = {
  nothingYet: "Nothing was changed yet.",
  changes: "Changes",
  sinceLastTurn: "since the last turn began",
  sinceFirst: "since the first checkpoint",
  ofChosen: "of the checkpoint that was chosen",
  files: (amount: number) => counted(amount, { one: "# file", other: "# files" }),
  comparing: "Comparing…",
  tryAgain: "Try again",
  noDifferences: "No differences.",
  kinds: { added: "added", changed: "changed", removed: "removed" },
  openFile: (name: string) => `Open ${name}`,
  open: "Open",
  notText: "Not text.",
  tooMuch: "Too much changed to show this file here. Open it to see it.",
  noLines: "Nothing to show line by line.",
  moreLines: (amount: number) =>
    counted(amount, { one: "# more line: show more", other: "# more lines: show more" }),
};
