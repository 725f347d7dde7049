type Host = { host: string };
type Refusal = { host: string; why: string };

/** Branches, pull requests and sign-ins on git servers. */
export const GIT = {
  "switched-to": ({ branch }: { branch: string }) => `Switched to ${branch}`,
  "pulled-from": ({ branch }: { branch: string }) => `Pulled from ${branch}`,
  "git-picture": () => "The app as it was last seen",
  "git-working": () => "A turn is running. Switch when it has ended.",
  "git-branch-taken": ({ branch }: { branch: string }) =>
    `There already is a branch ${branch}. Choose another name, or switch to it.`,
  "git-branch-missing": ({ branch }: { branch: string }) =>
    `There is no branch ${branch}, neither here nor on the server.`,
  "git-branch-current": ({ branch }: { branch: string }) =>
    `A pull request leads from one branch to another, and the project is on ${branch}. Name a new branch for it.`,
  "git-no-api": ({ host }: Host) =>
    `${host} has no API of GitHub, GitLab, Gitea or Forgejo that answers. Open the pull request there yourself.`,
  "git-no-token": ({ host }: Host) =>
    `Nobody is signed in at ${host}. Sign in, or give a token that may do this.`,
  "git-no-server": () =>
    "Say where the server is: Gitea and Forgejo have no standard address. One looks like https://git.example.com.",
  "git-api-late": ({ host }: Host) => `${host} did not answer in time. Try again.`,
  "git-api-cut": ({ host, why }: Refusal) => `The request to ${host} failed: ${why}`,
  "git-api-odd": ({ host }: Host) =>
    `${host} does not answer as its documentation says. Is the address right?`,
  "git-api-token": ({ host }: Host) =>
    `${host} does not accept the token. Sign in again, or make a new one.`,
  "git-api-scope": ({ host, why }: Refusal) =>
    `${host} knows the token, but it does not allow this (${why}). Make one with that permission.`,
  "git-api-missing": ({ host }: Host) =>
    `${host} has no such repository, or the token may not see it.`,
  "git-api-busy": ({ host }: Host) => `${host} allows no more requests for now. Try again later.`,
  "git-api-refused": ({ host, why }: Refusal) => `${host} refused the request: ${why}`,
  "git-name-taken": ({ host, name }: { host: string; name: string }) =>
    `${host} already has a repository ${name}. Choose another name, or push to that one.`,
  "git-owner-unknown": ({ host, owner }: { host: string; owner: string }) =>
    `${host} knows no ${owner} for which this token may create repositories.`,
  "git-no-device-flow": ({ host }: Host) =>
    `${host} offers no sign-in by a code. Use a token instead.`,
  "git-no-client": ({ server }: { server: string }) =>
    `No OAuth application is configured for ${server}. Set TREADLE_GIT_CLIENT_IDS, or use a token.`,
  "git-client-unknown": ({ host }: Host) =>
    `${host} does not know the OAuth application in TREADLE_GIT_CLIENT_IDS, or its device flow is off. Use a token instead.`,
};
