import type { Verdict } from "@treadle/protocol";
import { fileForm } from "./file-form.ts";
import { STATUS_NAME, type Forge } from "./types.ts";

/** GitLab has no state for an undecided result: `canceled` does not pass either. */
const STATES: Record<Verdict, string> = {
  verified: "success",
  runs: "pending",
  failed: "failed",
  unverified: "canceled",
};

const at = (path: string) => `/projects/${encodeURIComponent(path)}`;

/**
 * GitLab's REST API: https://docs.gitlab.com/api/merge_requests/, https://docs.gitlab.com/api/commits/#set-commit-pipeline-status,
 * https://docs.gitlab.com/api/project_markdown_uploads/ and, for the device flow,
 * https://docs.gitlab.com/api/oauth2/#device-authorization-grant-flow. It accepts personal tokens like OAuth tokens.
 */
export const GITLAB: Forge = {
  headers: (token) => ({ authorization: `Bearer ${token}` }),
  user: () => "oauth2",
  create: {
    owner: (owner) => ({ method: "GET", path: `/namespaces/${encodeURIComponent(owner)}` }),
    call: ({ name, isPrivate }, owner) => ({
      method: "POST",
      path: "/projects",
      body: {
        name,
        path: name,
        visibility: isPrivate ? "private" : "public",
        initialize_with_readme: false,
        namespace_id: owner,
      },
    }),
    url: "http_url_to_repo",
  },
  at,
  pullRequest: {
    open: ({ path }, { title, body, head, base }) => ({
      method: "POST",
      path: `${at(path)}/merge_requests`,
      body: { title, description: body, source_branch: head, target_branch: base },
    }),
    list: ({ path }, { head, base }) => ({
      method: "GET",
      path: `${at(path)}/merge_requests?${new URLSearchParams({ state: "opened", source_branch: head, target_branch: base })}`,
    }),
    isBetween: () => true,
    isTaken: ({ status }) => status === 409,
    address: "web_url",
  },
  status: ({ path }, { commit, verdict }, description) => ({
    method: "POST",
    path: `${at(path)}/statuses/${commit}`,
    body: { state: STATES[verdict], name: STATUS_NAME, description },
  }),
  picture: {
    way: "upload",
    call: ({ path }, picture) => ({
      method: "POST",
      path: `${at(path)}/uploads`,
      body: fileForm("file", picture),
    }),
  },
  scope: "api",
  deviceFlow: { code: "/oauth/authorize_device", token: "/oauth/token" },
};
