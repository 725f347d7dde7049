import type { Verdict } from "@treadle/protocol";
import { fileForm } from "./file-form.ts";
import { STATUS_NAME, type Fields, type Forge } from "./types.ts";

const STATES: Record<Verdict, string> = {
  verified: "success",
  runs: "pending",
  failed: "failure",
  unverified: "error",
};

const at = (path: string) => `/repos/${path.split("/").map(encodeURIComponent).join("/")}`;
const branchOf = (side: unknown) => (side as { ref?: unknown } | undefined)?.ref;
const numberOf = ({ number }: Fields) => Number(number);

/**
 * Gitea's REST API, which Forgejo has as well: https://docs.gitea.com/api/, https://codeberg.org/api/swagger. Neither
 * documents a device flow.
 */
export const GITEA: Forge = {
  headers: (token) => ({ authorization: `token ${token}` }),
  user: (owner) => owner ?? "git",
  create: {
    call: ({ owner, name, isPrivate }) => ({
      method: "POST",
      path: owner === undefined ? "/user/repos" : `/orgs/${encodeURIComponent(owner)}/repos`,
      body: { name, private: isPrivate, auto_init: false },
    }),
    url: "clone_url",
  },
  at,
  pullRequest: {
    open: ({ path }, { title, body, head, base }) => ({
      method: "POST",
      path: `${at(path)}/pulls`,
      body: { title, body, head, base },
    }),
    // The list cannot be narrowed to branches.
    list: ({ path }) => ({
      method: "GET",
      path: `${at(path)}/pulls?state=open&sort=recentupdate&limit=50`,
    }),
    isBetween: ({ head: from, base: to }, { head, base }) =>
      branchOf(from) === head && branchOf(to) === base,
    isTaken: ({ status }) => status === 409,
    address: "html_url",
  },
  status: ({ path }, { commit, verdict }, description) => ({
    method: "POST",
    path: `${at(path)}/statuses/${commit}`,
    body: { state: STATES[verdict], context: STATUS_NAME, description },
  }),
  picture: {
    way: "attach",
    call: ({ path }, opened, picture) => ({
      method: "POST",
      path: `${at(path)}/issues/${numberOf(opened)}/assets`,
      body: fileForm("attachment", picture),
    }),
    edit: ({ path }, opened, body) => ({
      method: "PATCH",
      path: `${at(path)}/pulls/${numberOf(opened)}`,
      body: { body },
    }),
  },
  scope: "read:user write:repository write:issue",
};
