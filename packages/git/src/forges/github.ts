import type { Verdict } from "@treadle/protocol";
import { STATUS_NAME, type Forge, type ForgePlace } from "./types.ts";

/** `runs` does not pass where the status is required: not all that was asked for was tried. */
const STATES: Record<Verdict, string> = {
  verified: "success",
  runs: "pending",
  failed: "failure",
  unverified: "error",
};

const at = (path: string) => `/repos/${path.split("/").map(encodeURIComponent).join("/")}`;
const ownerOf = ({ path }: ForgePlace) => path.split("/")[0] ?? "";

/**
 * GitHub's REST API, on github.com and GitHub Enterprise Server:
 * https://docs.github.com/en/rest/pulls/pulls, https://docs.github.com/en/rest/commits/statuses,
 * https://docs.github.com/en/rest/repos/repos and, for the device flow,
 * https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps#device-flow.
 */
export const GITHUB: Forge = {
  headers: (token) => ({
    authorization: `Bearer ${token}`,
    accept: "application/vnd.github+json",
    "x-github-api-version": "2022-11-28",
  }),
  user: () => "x-access-token",
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
    list: (place, { head, base }) => ({
      method: "GET",
      path: `${at(place.path)}/pulls?${new URLSearchParams({ state: "open", head: `${ownerOf(place)}:${head}`, base })}`,
    }),
    isBetween: () => true,
    // The status of other refusals as well, told apart only by a sentence.
    isTaken: ({ status }) => status === 422,
    address: "html_url",
  },
  status: ({ path }, { commit, verdict }, description) => ({
    method: "POST",
    path: `${at(path)}/statuses/${commit}`,
    body: { state: STATES[verdict], context: STATUS_NAME, description },
  }),
  picture: {
    way: "branch",
    address: ({ web, path }, commit, file) => `${web}/${path}/raw/${commit}/${file}`,
  },
  scope: "repo",
  deviceFlow: { code: "/login/device/code", token: "/login/oauth/access_token" },
};
