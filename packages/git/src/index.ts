/** Repositories on git servers. */
export { type GitAddress, reachGit, readGitAddress } from "./address.ts";
export { saveSeen } from "./branches.ts";
export { failureOfGit } from "./failure-of-git.ts";
export { makeRepository, namedServer } from "./forges/make-repository.ts";
export { FORGES } from "./forges/types.ts";
export { gitLogins, type GitLogins, loginHost } from "./git-logins.ts";
export { takeObjects } from "./make-commits.ts";
export {
  conflictsAlone,
  type FileChanges,
  type MergePlan,
  planMerge,
  type Side,
} from "./merge/plan-merge.ts";
export {
  checkBranch,
  fetchBranch,
  FETCHED,
  findBranch,
  openRepository,
  type Repository,
} from "./repository.ts";
export type { Progress, Remote } from "./run-git.ts";
export { readDeviceClients } from "./sign-in/device-clients.ts";
export type { DeviceClient } from "./sign-in/device-flow.ts";
export { createDeviceSignIns, type DeviceSignIns } from "./sign-in/device-sign-ins.ts";
export type { DeviceState } from "./sign-in/device-lifecycle.ts";
export { sshCommand } from "./ssh-command.ts";
export { type GitState, keepGitState, readGitState } from "./git-state.ts";
export { createGitOperations, type GitOperations } from "./project/git-operations.ts";
export { forgeHost } from "./project/project-forge.ts";
export { createBranch, readOverview, switchBranch } from "./project/project-branches.ts";
export { readFacts, requestPull } from "./project/pull-requests.ts";
export { pull, push } from "./project/sync.ts";
