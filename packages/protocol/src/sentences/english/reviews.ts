import type { Value } from "../types.ts";

/** Written by `catalogues/write-values.ts` of the page from its English catalogue. */
export const REVIEWS = {
  "needs-review": () =>
    "This needs a second person here. Ask for it, and somebody else approves or refuses it.",
  "package-known": ({ name }: { name: Value }) => `${name} may be installed here already.`,
  "no-second-person": ({ name }: { name: Value }) =>
    `Only ${name} could answer requests here, and nobody approves their own. Make somebody else an owner or an administrator first.`,
  "nobody-to-answer": () =>
    "Nobody but you could answer this request. An administrator can make somebody else an owner of the project.",
  "own-request": () => "Somebody else has to answer your own request.",
  "approval-lapsed": () =>
    "A role of whoever asked or approved was taken away since, so the approval does not count any more. Ask again.",
  "review-answered": ({ name }: { name: Value }) =>
    `${name} answered this request already; that answer counts.`,
  "review-ended": () => "This request has ended already.",
  "review-going": () => "A request for this was just approved and is being carried out.",
  "review-not-ready": () => "What was asked for is still being prepared.",
  "review-release-gone": () => "The release of this request does not exist any more. Ask again.",
  "review-only": () =>
    "This release waits for a second person, and can only be published by its request.",
  "team-has-rules": () =>
    "This team says that a second person is needed. Only an administrator of the server can take it out of the project.",
  "trial-not-started": () => "A copy of the app to be tried could not be started.",
  "no-review": () => "Nothing of this kind needs a second person in this project.",
};
