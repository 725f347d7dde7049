/** Ends of turns, why something is asked, labels of checkpoints. */
export const RUNS = {
  "unchanged-turn": () => "nothing was changed in this turn",
  "same-failure": () => "the same failure came back after a change of approach",
  "not-repaired": ({ count }: { count: number }) =>
    count === 1 ? `it was not repaired in ${count} try` : `it was not repaired in ${count} tries`,
  "nothing-changed": () => "Nothing was changed.",
  "finished-kept": () => "What was finished is kept.",
  "model-wants": () => "The model wants you to look at this first.",
  leaves: () => "It leaves the sandbox.",
  "commands-asked": () => "Commands need approval in this project.",
  "changes-asked": () => "Each change needs approval in this project.",
  obeyed: ({ path }: { path: string }) =>
    `${path} takes effect outside this project's sandbox: with an agent, an editor, git, CI or a package manager.`,
  "obeyed-unseen": ({ path }: { path: string }) =>
    `${path} takes effect outside this project's sandbox: with an agent, an editor, git, CI or a package manager. A program of the project or another editor changed it, and you have not accepted that. Here you approve only this change; the model does not see the file until you accept it in Project settings.`,
  "install-script": () =>
    "It gives package.json a script that runs by itself wherever the project is installed.",
  unlooked: () => "The folder holds files that were not looked through: too many, or build output.",
  "before-turn": () => "Before this turn",
  "before-back": () => "Before going back",
  "before-copy": () => "Before a copy was made",
  "before-parallel": () => "Before a parallel request",
  "before-merge": () => "Before a parallel request was merged",
  "parallel-done": () => "As the parallel request left it",
  "parallel-merged": () => "Merged with what the project became meanwhile",
  "made-of": ({ files }: { files: string }) => `A command's version of ${files}`,
  "checkpoint-verified": () => "Verified",
  "checkpoint-checked": () => "Checked",
  "nothing-changed-but": ({ faults }: { faults: readonly string[] }) =>
    `Nothing was changed: ${faults.join(", ")}.`,
};
