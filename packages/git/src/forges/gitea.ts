import { fileForm } from "./file-form.ts";
import { LIKE_GITHUB, repositoryPath } from "./like-github.ts";
import type { Fields, Forge } from "./types.ts";

const branchOf = (side: unknown) => (side as { ref?: unknown } | undefined)?.ref;
const numberOf = ({ number }: Fields) => Number(number);

/**
 * Gitea's REST API, which Forgejo has as well: https://docs.gitea.com/api/, https://codeberg.org/api/swagger. Neither
 * documents a device flow.
 */
export const GITEA: Forge = {
  headers: (token) => ({ authorization: `token ${token}` }),
  user: (owner) => owner ?? "git",
  ...LIKE_GITHUB,
  pullRequest: {
    ...LIKE_GITHUB.pullRequest,
    // The list cannot be narrowed to branches.
    list: ({ path }) => ({
      method: "GET",
      path: `${repositoryPath(path)}/pulls?state=open&sort=recentupdate&limit=50`,
    }),
    isBetween: ({ head: from, base: to }, { head, base }) =>
      branchOf(from) === head && branchOf(to) === base,
    isTaken: ({ status }) => status === 409,
  },
  picture: {
    way: "attach",
    call: ({ path }, opened, picture) => ({
      method: "POST",
      path: `${repositoryPath(path)}/issues/${numberOf(opened)}/assets`,
      body: fileForm("attachment", picture),
    }),
    edit: ({ path }, opened, body) => ({
      method: "PATCH",
      path: `${repositoryPath(path)}/pulls/${numberOf(opened)}`,
      body: { body },
    }),
  },
  scope: "read:user write:repository write:issue",
};
