/**
 * The lifecycle of a pull request, from the button to its address. The person's text stays until the pull request is
 * open: a failure leads back to the form.
 */
import type { OpenedPullRequest, PullRequestDraft, PullRequestFacts } from "../api/git-branches.ts";
import type { GitProblem } from "./use-git-act.ts";

interface Form<Phase> {
  phase: Phase;
  facts: PullRequestFacts;
  draft: PullRequestDraft;
  problem?: GitProblem | undefined;
}

export type PullRequestState =
  | { phase: "closed"; problem?: GitProblem | undefined }
  | { phase: "loading" }
  | Form<"editing">
  | Form<"sending">
  /** `lacksPicture`: the person chose to include the picture, but it could not be added. */
  | { phase: "opened"; opened: OpenedPullRequest; lacksPicture: boolean };

export type PullRequestEvent =
  | { type: "begin" | "send" | "close" }
  | { type: "loaded"; facts: PullRequestFacts; draft: PullRequestDraft }
  | { type: "edit"; change: Partial<PullRequestDraft> }
  | { type: "signed-in" }
  | { type: "opened"; opened: OpenedPullRequest; lacksPicture: boolean }
  | { type: "failed"; problem: GitProblem };

type Answers = {
  [Phase in PullRequestState["phase"]]: {
    [Type in PullRequestEvent["type"]]?: (
      state: Extract<PullRequestState, { phase: Phase }>,
      event: Extract<PullRequestEvent, { type: Type }>,
    ) => PullRequestState;
  };
};

/** The transitions of each phase; an event without one changes nothing. */
const TABLE: Answers = {
  closed: { begin: () => ({ phase: "loading" }) },
  loading: {
    loaded: (_, { facts, draft }) => ({ phase: "editing", facts, draft }),
    failed: (_, { problem }) => ({ phase: "closed", problem }),
    close: () => ({ phase: "closed" }),
  },
  editing: {
    edit: (state, { change }) => ({ ...state, draft: { ...state.draft, ...change } }),
    "signed-in": (state) => ({
      ...state,
      facts: { ...state.facts, isSignedIn: true },
      problem: undefined,
    }),
    send: (state) => ({ ...state, phase: "sending", problem: undefined }),
    close: () => ({ phase: "closed" }),
  },
  sending: {
    opened: (_, { opened, lacksPicture }) => ({ phase: "opened", opened, lacksPicture }),
    failed: (state, { problem }) => ({
      ...state,
      phase: "editing",
      problem,
      // An invalid token is requested again.
      facts: { ...state.facts, isSignedIn: problem.code !== "git-login" },
    }),
  },
  opened: { close: () => ({ phase: "closed" }), begin: () => ({ phase: "loading" }) },
};

/** Returns the next state. Has no side effects, and accepts every event in every state. */
export function pullRequestTransition(
  state: PullRequestState,
  event: PullRequestEvent,
): PullRequestState {
  const answer = TABLE[state.phase][event.type] as
    | ((state: PullRequestState, event: PullRequestEvent) => PullRequestState)
    | undefined;
  return answer ? answer(state, event) : state;
}
