import { expect, it } from "vitest";
import type { PullRequestFacts } from "../api/git-branches.ts";
import { pullRequestTransition, type PullRequestEvent, type PullRequestState } from "./pull-request-lifecycle.ts"; // prettier-ignore

const facts = { isSignedIn: true, branch: "b", base: "main" } as PullRequestFacts;
const draft = { title: "t", body: "", base: "main", branch: "b" };
const loaded = { type: "loaded", facts, draft } as const;
const opened = { address: "https://x/1", existed: false, hasPicture: false };
const CLOSED: PullRequestState = { phase: "closed" };

const after = (...events: PullRequestEvent[]) => events.reduce(pullRequestTransition, CLOSED);

it("keeps the user's text when sending fails, and asks for another token if it is invalid", () => {
  const problem = { code: "git-login", text: "no" };
  const state = after({ type: "begin" }, loaded, { type: "edit", change: { title: "mine" } }, { type: "send" }, { type: "failed", problem }); // prettier-ignore
  expect(state).toMatchObject({ phase: "editing", draft: { title: "mine" }, problem, facts: { isSignedIn: false } }); // prettier-ignore
  expect(pullRequestTransition(state, { type: "signed-in" })).toMatchObject({
    facts: { isSignedIn: true },
    problem: undefined,
  });
});

it("is sent once, and shows its address", () => {
  const sending = after({ type: "begin" }, loaded, { type: "send" });
  expect(pullRequestTransition(sending, { type: "send" })).toBe(sending);
  expect(pullRequestTransition(sending, { type: "edit", change: { title: "x" } })).toBe(sending);
  expect(pullRequestTransition(sending, { type: "opened", opened, lacksPicture: true })).toEqual({ phase: "opened", opened, lacksPicture: true }); // prettier-ignore
});

it("ignores facts that arrive after it was closed", () => {
  expect(after({ type: "begin" }, { type: "close" }, loaded)).toEqual(CLOSED);
});
