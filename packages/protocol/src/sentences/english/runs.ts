import type { Value } from "../types.ts";

/** Written by `catalogues/write-values.ts` of the page from its English catalogue. */
export const RUNS = {
  "unchanged-turn": () => "nothing was changed in this turn",
  "same-failure": () => "the same failure came back after a change of approach",
  "not-repaired": ({ count }: { count: number }) =>
    `${count === 1 ? `it was not repaired in ${count.toLocaleString("en")} try` : `it was not repaired in ${count.toLocaleString("en")} tries`}`,
  "nothing-changed": () => "Nothing was changed.",
  "finished-kept": () => "What was finished is kept.",
  "model-wants": () => "The model wants you to look at this first.",
  leaves: () => "It leaves the sandbox.",
  "commands-asked": () => "Commands need approval in this project.",
  "changes-asked": () => "Each change needs approval in this project.",
  obeyed: ({ path }: { path: Value }) =>
    `${path} takes effect outside this project's sandbox: with an agent, an editor, git, CI or a package manager.`,
  "obeyed-unseen": ({ path }: { path: Value }) =>
    `${path} takes effect outside this project's sandbox: with an agent, an editor, git, CI or a package manager. A program of the project or another editor changed it, and you have not accepted that. Here you approve only this change; the model does not see the file until you accept it in Project settings.`,
  "install-script": () =>
    "It gives package.json a script that runs by itself wherever the project is installed.",
  unlooked: () => "The folder holds files that were not looked through: too many, or build output.",
  "before-turn": () => "Before this turn",
  "before-back": () => "Before going back",
  "before-copy": () => "Before a copy was made",
  "made-of": ({ files }: { files: Value }) => `A command's version of ${files}`,
  "checkpoint-verified": () => "Verified",
  "checkpoint-checked": () => "Checked",
  "nothing-changed-but": ({ faults }: { faults: Value }) => `Nothing was changed: ${faults}.`,
  "output-limit": () =>
    "The model reached its output limit before its answer was complete, and continuing did not help. Ask for less at once, or choose another model.",
  "calls-malformed": () =>
    "The model's tool calls could not be understood several times in a row. Choose another model or dialect.",
  "answer-filtered": () => "The provider's content filter stopped the answer.",
  "empty-answers": () =>
    "The model answered with nothing, or with thoughts alone, and did so again when it was asked once more. Say it in other words, or choose another model.",
  "same-call": ({ tool }: { tool: Value }) =>
    `The model asked for the same thing again and again (${tool}) without any effect, so the run was stopped.`,
  "call-broke": ({ tool, why }: { tool: Value; why: Value }) =>
    `Something went wrong in ${tool}: ${why}`,
  "stopped-before": () => "Stopped before anything was done.",
  "run-unended": () => "The turn did not end by itself. What was written is kept.",
  interrupted: () =>
    "Treadle was stopped in the middle of this turn. What was finished until then is kept.",
  "interrupted-before": () => "Treadle was stopped before this turn began.",
  "imported-log-ends": () => "The log that was imported ends here.",
  "plan-made": () => "A plan. Nothing was changed.",
  "plan-missing": () => "The model ended without a plan.",
  "budget-steps": ({ steps }: { steps: number }) =>
    `${steps === 1 ? `Stopped after ${steps.toLocaleString("en")} step: that is the limit.` : `Stopped after ${steps.toLocaleString("en")} steps: that is the limit.`}`,
  "budget-money": ({ limit, used }: { limit: Value; used: Value }) =>
    `Stopped at ${used}: the limit is ${limit}.`,
  "budget-tokens": ({ limit, used }: { limit: number; used: number }) =>
    `Stopped at ${used.toLocaleString("en")} tokens: the limit is ${limit.toLocaleString("en")}.`,
  "budget-seconds": ({ seconds }: { seconds: number }) =>
    `${seconds === 1 ? `Stopped after ${seconds.toLocaleString("en")} second: that is the limit.` : `Stopped after ${seconds.toLocaleString("en")} seconds: that is the limit.`}`,
  "budget-minutes": ({ minutes }: { minutes: number }) =>
    `${minutes === 1 ? `Stopped after ${minutes.toLocaleString("en")} minute: that is the limit.` : `Stopped after ${minutes.toLocaleString("en")} minutes: that is the limit.`}`,
  "project-budget-money": ({ limit }: { limit: Value }) =>
    `The project's budget of ${limit} is used up. Raise it in the project's settings.`,
  "project-budget-tokens": ({ limit }: { limit: number }) =>
    `The project's budget of ${limit.toLocaleString("en")} tokens is used up. Raise it in the project's settings.`,
  "before-parallel": () => "Before a parallel request",
  "before-merge": () => "Before a parallel request was merged",
  "parallel-done": () => "As the parallel request left it",
  "parallel-merged": () => "Merged with what the project became meanwhile",
  "quota-projects": ({ limit, used }: { limit: number; used: number }) =>
    `You have ${used === 1 ? `${used.toLocaleString("en")} project` : `${used.toLocaleString("en")} projects`}, and ${limit.toLocaleString("en")} is the most on this server. Delete one, or ask an administrator to raise the limit.`,
  "quota-published": ({ limit, used }: { limit: number; used: number }) =>
    `${used === 1 ? `${used.toLocaleString("en")} app` : `${used.toLocaleString("en")} apps`} of this project's owner are published, and ${limit.toLocaleString("en")} is the most on this server. Take one down, or ask an administrator to raise the limit.`,
  "quota-team-projects": ({ limit, used }: { limit: number; used: number }) =>
    `The team has ${used === 1 ? `${used.toLocaleString("en")} project` : `${used.toLocaleString("en")} projects`}, and ${limit.toLocaleString("en")} is the most on this server. Take one out of the team, or ask an administrator to raise the limit.`,
  "quota-team-published": ({ limit, used }: { limit: number; used: number }) =>
    `${used === 1 ? `${used.toLocaleString("en")} app` : `${used.toLocaleString("en")} apps`} of this project's team are published, and ${limit.toLocaleString("en")} is the most on this server. Take one down, or ask an administrator to raise the limit.`,
  "quota-team-awake": ({ limit, used }: { limit: number; used: number }) =>
    `${used === 1 ? `${used.toLocaleString("en")} other project` : `${used.toLocaleString("en")} other projects`} of this project's team ${used === 1 ? "is" : "are"} being used, and ${limit.toLocaleString("en")} at a time is the most on this server. Close one, wait until it rests, or ask an administrator to raise the limit.`,
  "quota-team-disk": ({ limit, used }: { limit: Value; used: Value }) =>
    `The projects of the team take ${used} of the ${limit} that one team has on this server. Remove files or a project, or ask an administrator to raise the limit.`,
  "month-budget-person": ({ limit, name, until }: { limit: Value; name: Value; until: Value }) =>
    `${name} has used up this month's budget of ${limit}. It starts anew on ${until}; until then, an administrator of this server can raise it.`,
  "month-budget-team": ({ limit, name, until }: { limit: Value; name: Value; until: Value }) =>
    `The team ${name} has used up this month's budget of ${limit}. It starts anew on ${until}; until then, an administrator of this server can raise it.`,
  "month-budget-project": ({ limit, until }: { limit: Value; until: Value }) =>
    `This project has used up its budget of ${limit} for this month. It starts anew on ${until}; until then, an administrator of this server can raise it.`,
  "token-count": ({ count }: { count: number }) =>
    `${count === 1 ? `${count.toLocaleString("en")} token` : `${count.toLocaleString("en")} tokens`}`,
  "quota-awake": ({ limit, used }: { limit: number; used: number }) =>
    `${used === 1 ? `${used.toLocaleString("en")} other project` : `${used.toLocaleString("en")} other projects`} of this owner ${used === 1 ? "is" : "are"} being used, and ${limit.toLocaleString("en")} at a time is the most on this server. Close one, wait until it rests, or ask an administrator to raise the limit.`,
  "quota-disk": ({ limit, used }: { limit: Value; used: Value }) =>
    `Your projects take ${used} of the ${limit} that one person has on this server. Delete one, or ask an administrator to raise the limit.`,
};
