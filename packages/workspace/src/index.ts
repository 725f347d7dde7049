export type * from "./types.ts";
export { WorkspaceError } from "./types.ts";
export { measureFolders } from "./limits/measure-disk.ts";
export { readOwnLimits } from "./limits/limits.ts";
export { readNow, textOf, versionNow } from "./read-now.ts";
export { readVersion } from "./read-version.ts";
export { removeTree } from "./remove-tree.ts";
export {
  ignoredNames,
  isDataFile,
  isIgnored,
  isOutputFolder,
  isSecretFile,
  leadsThroughForeign,
} from "./ignored.ts";
export { keepCheckpoint } from "./checkpoints/keep-checkpoint.ts";
export { checkpointTrees, type CheckpointTrees } from "./checkpoints/checkpoint-trees.ts";
export { examineCheckpoints, sweepCheckpoints } from "./checkpoints/examine-checkpoints.ts";
export { examineTrees } from "./dependencies/examine-trees.ts";
export { checkPath } from "./paths.ts";
export { migrationNumber, NUMBERED, numberLike } from "./data-conventions/plan-migrations.ts";
export { DATABASE_NAMES, namesOtherDatabase } from "./data-conventions/postgres-environment.ts";
export { POSTGRES_CLIENTS, meansPostgres } from "./data-conventions/uses-postgres.ts";
export {
  chooseFolders,
  migrationFolderOf,
  MIGRATION_FOLDERS,
} from "./data-conventions/migration-folders.ts";
export {
  makeAttempt,
  type AttackPlace,
  type Attempt,
  type AttemptResult,
} from "./attacks/attempt.ts";
export { attempts } from "./attacks/attempts.ts";
export { openAttackPlace } from "./attacks/attack-place.ts";
export { openMakerPlace } from "./attacks/maker-place.ts";
export {
  isManager,
  LOCK_FILES,
  MANAGER_FILES,
  MANAGERS,
  managerOf,
  type ManagerName,
} from "./package-managers/managers.ts";
export { readManagerCommand } from "./package-managers/manager-command.ts";
export { createDriver, driverName } from "./create-driver.ts";
export { withTabs } from "./webcontainer/tab-driver.ts";
export { createTabs, type Tabs } from "./webcontainer/tabs.ts";
export { TabLeft, type TabChannel, type TabLink } from "./webcontainer/tab-link.ts";
export { createLocalDriver, type LocalDriverOptions } from "./local/driver.ts";
export {
  LAUNCH_ENV,
  sandboxCommand,
  type Bind,
  type SandboxOptions,
} from "./local/sandbox-command.ts";
export { sandboxUid } from "./host/sandbox-uid.ts";
export { syscallFilter } from "./host/syscall-filter.ts";
export { packageOf } from "./package-managers/package-of.ts";
export { isAppData, mayBeDocument } from "./sources/data-kind.ts";
export { makeControlGroups, weighServer, type ControlGroups } from "./host/control-groups.ts";
export { findInstallation, type Installation } from "./host/installation.ts";
export { createTemplatePackages } from "./templates/template-packages.ts";
export { namedPackages } from "./package-managers/named-packages.ts";
export { listTemplates, readTemplate, type TemplateFile } from "./templates/templates.ts";
export type { EndedPart } from "./wire/ended-part.ts";
export { withOpen } from "./with-open.ts";
export { JUST_USED_MS, withRoom, type Awake } from "./with-room.ts";
