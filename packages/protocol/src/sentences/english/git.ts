import type { Value } from "../types.ts";

/** Written by `catalogues/write-values.ts` of the page from its English catalogue. */
export const GIT = {
  "git-nothing": () => "There is nothing to push yet.",
  "git-none": () => "This project has no repository yet. Say where it is first.",
  "git-pull-changed": ({ path }: { path: Value }) =>
    `${path} was changed during the pull. What you wrote is kept; pull again.`,
  "git-unpack": ({ why }: { why: Value }) => `Its files could not be unpacked: ${why}`,
  "git-address": () =>
    "That is not the address of a repository. Type one such as https://github.com/owner/name or git@host:owner/name.",
  "git-plain": ({ host }: { host: Value }) =>
    `Over http everybody on the way can read along: use https for ${host}.`,
  "git-local": ({ host }: { host: Value }) =>
    `${host} is on this machine or its network. Confirm that you mean it.`,
  "git-host-refused": ({ host }: { host: Value }) => `A repository cannot be on ${host}.`,
  "git-host-unknown": ({ host }: { host: Value }) =>
    `No host named ${host} was found. Check the address and the network.`,
  "git-old": ({ version }: { version: Value }) =>
    `Merging needs git ${version} or newer on this machine.`,
  "git-conflicts": ({ count, limit }: { count: number; limit: number }) =>
    `${count.toLocaleString("en")} files were changed on both sides; at most ${limit.toLocaleString("en")} can be settled here. Merge them with git, and pull again.`,
  "git-late": () => "Git did not finish in time. Nothing was changed.",
  "git-missing": () =>
    "There is no git on this machine. Install it (apt-get install git) and try again.",
  "git-login-needed": ({ host }: { host: Value }) =>
    `${host} needs a name and a password (or a token) that may do this.`,
  "git-key-unknown": ({ host }: { host: Value }) =>
    `${host} does not know the key. Add Treadle's public key there, or use https.`,
  "git-host-key": ({ host }: { host: Value }) =>
    `${host} shows a different key than before. If that is right, remove the old one from known_hosts in Treadle's data folder.`,
  "git-refused": ({ host }: { host: Value }) => `${host} knows who asks, but does not allow it.`,
  "git-redirect": ({ host }: { host: Value }) =>
    `${host} redirects to another address. Type that one; it often ends in .git.`,
  "git-not-found": ({ host }: { host: Value }) =>
    `${host} has no such repository or branch, or hides it from you.`,
  "git-moved": () =>
    "Somebody else has pushed to that branch meanwhile. Pull first; nothing was overwritten.",
  "git-certificate": ({ host }: { host: Value }) => `The certificate of ${host} was not accepted.`,
  "git-unreachable": ({ host }: { host: Value }) =>
    `Nothing answers at ${host}. Check the address and the network.`,
  "git-cut": ({ host }: { host: Value }) =>
    `The connection to ${host} was cut. Nothing was changed; try again.`,
  "git-bad-objects": () =>
    "What the repository holds is not well-formed (a name such as .git, or damaged objects). Nothing of it was saved.",
  "git-branch": ({ name }: { name: Value }) => `${name} is not a name for a branch.`,
  "git-empty": () => "The repository is empty, or names no branch to begin with: name one.",
  "program-failed": ({ program, why }: { program: Value; why: Value }) =>
    `${program} failed: ${why}`,
  "switched-to": ({ branch }: { branch: Value }) => `Switched to ${branch}`,
  "pulled-from": ({ branch }: { branch: Value }) => `Pulled from ${branch}`,
  "git-picture": () => "The app as it was last seen",
  "git-working": () => "A turn is running. Switch when it has ended.",
  "git-branch-taken": ({ branch }: { branch: Value }) =>
    `There already is a branch ${branch}. Choose another name, or switch to it.`,
  "git-branch-missing": ({ branch }: { branch: Value }) =>
    `There is no branch ${branch}, neither here nor on the server.`,
  "git-branch-current": ({ branch }: { branch: Value }) =>
    `A pull request leads from one branch to another, and the project is on ${branch}. Name a new branch for it.`,
  "git-no-api": ({ host }: { host: Value }) =>
    `${host} has no API of GitHub, GitLab, Gitea or Forgejo that answers. Open the pull request there yourself.`,
  "git-no-token": ({ host }: { host: Value }) =>
    `Nobody is signed in at ${host}. Sign in, or give a token that may do this.`,
  "git-no-server": () =>
    "Say where the server is: Gitea and Forgejo have no standard address. One looks like https://git.example.com.",
  "git-api-late": ({ host }: { host: Value }) => `${host} did not answer in time. Try again.`,
  "git-api-cut": ({ host, why }: { host: Value; why: Value }) =>
    `The request to ${host} failed: ${why}`,
  "git-api-odd": ({ host }: { host: Value }) =>
    `${host} does not answer as its documentation says. Is the address right?`,
  "git-api-token": ({ host }: { host: Value }) =>
    `${host} does not accept the token. Sign in again, or make a new one.`,
  "git-api-scope": ({ host, why }: { host: Value; why: Value }) =>
    `${host} knows the token, but it does not allow this (${why}). Make one with that permission.`,
  "git-api-missing": ({ host }: { host: Value }) =>
    `${host} has no such repository, or the token may not see it.`,
  "git-api-busy": ({ host }: { host: Value }) =>
    `${host} allows no more requests for now. Try again later.`,
  "git-api-refused": ({ host, why }: { host: Value; why: Value }) =>
    `${host} refused the request: ${why}`,
  "git-name-taken": ({ host, name }: { host: Value; name: Value }) =>
    `${host} already has a repository ${name}. Choose another name, or push to that one.`,
  "git-owner-unknown": ({ host, owner }: { host: Value; owner: Value }) =>
    `${host} knows no ${owner} for which this token may create repositories.`,
  "git-no-device-flow": ({ host }: { host: Value }) =>
    `${host} offers no sign-in by a code. Use a token instead.`,
  "git-no-client": ({ server }: { server: Value }) =>
    `No OAuth application is configured for ${server}. Set TREADLE_GIT_CLIENT_IDS, or use a token.`,
  "git-client-unknown": ({ host }: { host: Value }) =>
    `${host} does not know the OAuth application in TREADLE_GIT_CLIENT_IDS, or its device flow is off. Use a token instead.`,
};
