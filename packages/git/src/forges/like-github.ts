import type { Verdict } from "@treadle/protocol";
import { STATUS_NAME, type Forge } from "./types.ts";

/** `runs` does not pass if the status is required, since not everything that was asked for was tried. */
const STATES: Record<Verdict, string> = {
  verified: "success",
  runs: "pending",
  failed: "failure",
  unverified: "error",
};

/** Path of a repository below the API. */
export const repositoryPath = (path: string) =>
  `/repos/${path.split("/").map(encodeURIComponent).join("/")}`;

/** The parts that GitHub's API and Gitea's, which is modelled on it, have in common. */
export const LIKE_GITHUB = {
  create: {
    call: ({ owner, name, isPrivate }) => ({
      method: "POST",
      path: owner === undefined ? "/user/repos" : `/orgs/${encodeURIComponent(owner)}/repos`,
      body: { name, private: isPrivate, auto_init: false },
    }),
    url: "clone_url",
  },
  at: repositoryPath,
  pullRequest: {
    open: ({ path }, { title, body, head, base }) => ({
      method: "POST",
      path: `${repositoryPath(path)}/pulls`,
      body: { title, body, head, base },
    }),
    address: "html_url",
  },
  status: ({ path }, { commit, verdict }, description) => ({
    method: "POST",
    path: `${repositoryPath(path)}/statuses/${commit}`,
    body: { state: STATES[verdict], context: STATUS_NAME, description },
  }),
} satisfies Pick<Forge, "create" | "at" | "status"> & {
  pullRequest: Pick<Forge["pullRequest"], "open" | "address">;
};
