/**
 * Behaviours required of every driver, each with its id. A driver's test calls `describeWorkspace`
 * once; what is specific to a driver (mounts, uids, unix sockets) is tested beside that driver.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { Workspace, WorkspaceDriver } from "../types.ts";
import { describeChanges } from "./changes.test-support.ts";
import { describeCheckpointTricks } from "./checkpoint-tricks.test-support.ts";
import { describeCommands } from "./commands.test-support.ts";
import { describeDataFiles } from "./data-files.test-support.ts";
import { describeFiles } from "./files.test-support.ts";
import { describeFullDisk } from "./full-disk.test-support.ts";
import { describeKeptHistory } from "./kept-history.test-support.ts";
import { describeLife } from "./life.test-support.ts";
import { describeLinks } from "./links.test-support.ts";
import { describeManyFiles } from "./many-files.test-support.ts";
import { describeNativeModules } from "./native-modules.test-support.ts";
import { describeOwnServers } from "./own-servers.test-support.ts";
import { describePaths } from "./paths.test-support.ts";
import { describePipes } from "./pipes.test-support.ts";
import { describeRevisions } from "./revisions.test-support.ts";
import { describeRootRepository } from "./root-repository.test-support.ts";
import { describeSearch } from "./search.test-support.ts";
import { describeServers } from "./servers.test-support.ts";
import { describeTerminals } from "./terminals.test-support.ts";
import {
  createContract,
  type Area,
  type Contract,
  type ContractSubject,
} from "./contract.test-support.ts";

/**
 * In order of execution: areas whose rules use separate workspaces run concurrently, after the
 * others.
 */
const AREAS = {
  files: describeFiles,
  paths: describePaths,
  manyFiles: describeManyFiles,
  links: describeLinks,
  search: describeSearch,
  changes: describeChanges,
  commands: describeCommands,
  servers: describeServers,
  terminals: describeTerminals,
  pipes: describePipes,
  ownServers: describeOwnServers,
  nativeModules: describeNativeModules,
  rootRepository: describeRootRepository,
  revisions: describeRevisions,
  checkpointTricks: describeCheckpointTricks,
  keptHistory: describeKeptHistory,
  dataFiles: describeDataFiles,
  fullDisk: describeFullDisk,
  life: describeLife,
} satisfies Record<Area, (contract: Contract) => void>;

export function describeWorkspace(subject: ContractSubject): void {
  const opened = {} as { folder: string; driver: WorkspaceDriver; shared: Workspace };
  const contract = createContract(subject, opened);

  beforeAll(async () => {
    opened.folder = mkdtempSync(join(tmpdir(), "treadle-contract-"));
    opened.driver = subject.createDriver(join(opened.folder, "cache"));
    opened.shared = await contract.openNew();
  }, 60_000);
  afterAll(async () => {
    await opened.driver.close();
    rmSync(opened.folder, { recursive: true, force: true });
  });

  for (const [area, describeArea] of Object.entries(AREAS))
    if (!subject.alike?.areas.includes(area as Area)) describeArea(contract);
}
