/** Repositories on git servers. */
export { type GitAddress, reachGit, readGitAddress } from "./address.ts";
export {
  checkFree,
  compareSides,
  fetchSeen,
  type ListedCommit,
  listLocalBranches,
  listRemoteBranches,
  listUnseen,
  saveLocal,
  saveSeen,
} from "./branches.ts";
export { failureOfGit } from "./failure-of-git.ts";
export { type StatusReport, setStatuses } from "./forges/commit-statuses.ts";
export { pictureName } from "./forges/file-form.ts";
export { FORGE, type ForgeClient, forgeClient } from "./forges/forge-client.ts";
export { makeRepository, namedServer } from "./forges/make-repository.ts";
export {
  type OpenedPullRequest,
  openPullRequest,
  type RequestPicture,
} from "./forges/pull-request.ts";
export { recognizeForge } from "./forges/recognize-forge.ts";
export { type CommitVerdict, type ForgePlace, FORGES, type PullRequest } from "./forges/types.ts";
export { gitLogins, type GitLogins, loginHost } from "./git-logins.ts";
export { type Commits, makeCommits, planCommits, takeObjects } from "./make-commits.ts";
export {
  conflictsAlone,
  type FileChanges,
  type MergePlan,
  planMerge,
  type Side,
} from "./merge/plan-merge.ts";
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
export { readDeviceClients } from "./sign-in/device-clients.ts";
export type { DeviceClient } from "./sign-in/device-flow.ts";
export { createDeviceSignIns, type DeviceSignIns } from "./sign-in/device-sign-ins.ts";
export type { DeviceState } from "./sign-in/device-lifecycle.ts";
export { sshCommand } from "./ssh-command.ts";
export { type GitState, keepGitState, readGitState } from "./git-state.ts";
export { gatherTurns, type Turn } from "./turns.ts";
