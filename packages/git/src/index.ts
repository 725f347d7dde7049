/** Repositories on git servers. */
export { type GitAddress, reachGit, readGitAddress } from "./address.ts";
export { failureOfGit } from "./failure-of-git.ts";
export { gitLogins, type GitLogins, loginHost } from "./git-logins.ts";
export { type Commits, makeCommits, takeObjects } from "./make-commits.ts";
export { FORGES, makeRepository } from "./make-repository.ts";
export { type Conflict, mergeCommits, type Resolution } from "./merge.ts";
export {
  checkBranch,
  fetchBranch,
  FETCHED,
  findBranch,
  openRepository,
  type Repository,
} from "./repository.ts";
export { type Progress, type Remote, runGit } from "./run-git.ts";
export { sshCommand } from "./ssh-command.ts";
export { type GitState, keepGitState, readGitState } from "./git-state.ts";
export { gatherTurns, type Turn } from "./turns.ts";
