export type * from "./types.ts";
export { StoreError } from "./types.ts";
export { examineDatabase } from "./examine-database.ts";
export { openStore, type OpenStoreOptions } from "./open-store.ts";
export { readSettings } from "./read-settings.ts";
export { folderMark } from "./secrets/folder-mark.ts";
export { faultOfDatabase, snapshotDatabase } from "./sqlite/snapshot.ts";
export { wholeLog } from "./log/whole-log.ts";
export { workspaceSettings } from "./workspace-settings.ts";
