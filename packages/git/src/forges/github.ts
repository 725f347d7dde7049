import { LIKE_GITHUB, repositoryPath } from "./like-github.ts";
import type { Forge, ForgePlace } from "./types.ts";

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
  ...LIKE_GITHUB,
  pullRequest: {
    ...LIKE_GITHUB.pullRequest,
    list: (place, { head, base }) => ({
      method: "GET",
      path: `${repositoryPath(place.path)}/pulls?${new URLSearchParams({ state: "open", head: `${ownerOf(place)}:${head}`, base })}`,
    }),
    isBetween: () => true,
    // Other refusals have this status as well, and differ only in their message.
    isTaken: ({ status }) => status === 422,
  },
  picture: {
    way: "branch",
    address: ({ web, path }, commit, file) => `${web}/${path}/raw/${commit}/${file}`,
  },
  scope: "repo",
  deviceFlow: { code: "/login/device/code", token: "/login/oauth/access_token" },
};
