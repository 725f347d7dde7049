import { toProjectPath } from "@treadle/protocol/project-path";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Exit, OpenOptions, Workspace, WorkspaceDriver } from "../types.ts";

/** Parts of the contract that drivers can have in common. */
export type Area =
  | "files"
  | "paths"
  | "manyFiles"
  | "links"
  | "search"
  | "changes"
  | "commands"
  | "servers"
  | "ownServers"
  | "terminals"
  | "pipes"
  | "nativeModules"
  | "rootRepository"
  | "revisions"
  | "checkpointTricks"
  | "keptHistory"
  | "dataFiles"
  | "fullDisk"
  | "life";

export interface ContractSubject {
  /** Creates the driver once; caches go below `folder`. */
  createDriver(folder: string): WorkspaceDriver;
  /**
   * Behaviours that this driver cannot have, by id, with the reason. They are reported as skipped.
   */
  lacks?: Record<string, string>;
  /** Areas in which this driver runs the same code as another driver, whose tests cover them. */
  alike?: { source: string; areas: readonly Area[] };
  /**
   * For a driver used in tests: the behaviours that it has, and the reason for leaving out the
   * others.
   */
  only?: { ids: readonly string[]; reason: string };
}

/** Context for every area of the contract. */
export interface Contract {
  readonly folder: string;
  readonly driver: WorkspaceDriver;
  /** A workspace for all rules that leave it usable. */
  readonly shared: Workspace;
  openNew(
    options?: Partial<Pick<OpenOptions, "directory" | "stateDirectory" | "secretKey">>,
  ): Promise<Workspace>;
  text(path: string, workspace?: Workspace): Promise<string>;
  exited(exit: Exit): Extract<Exit, { kind: "exited" }>;
  paths(under?: string): Promise<string[]>;
  /** Declares one behaviour, by the id that `lacks` uses. Rules of one area run in order. */
  rule(id: string, name: string, act: () => Promise<void>): void;
  /** The same for a behaviour that uses separate workspaces: these rules run concurrently. */
  apart(id: string, name: string, act: () => Promise<void>): void;
}

/** @param opened what `beforeAll` has created by the time a rule runs */
export function createContract(
  subject: ContractSubject,
  opened: { folder: string; driver: WorkspaceDriver; shared: Workspace },
): Contract {
  let count = 0;
  const register =
    (concurrent: boolean) => (id: string, name: string, act: () => Promise<void>) => {
      const { lacks, only } = subject;
      const reason = lacks?.[id] ?? (only && !only.ids.includes(id) ? only.reason : undefined);
      if (reason === undefined) it(`${id} ${name}`, { concurrent }, act);
      else it.skip(`${id} ${name} (skipped: ${reason})`, act);
    };
  return {
    get folder() {
      return opened.folder;
    },
    get driver() {
      return opened.driver;
    },
    get shared() {
      return opened.shared;
    },
    openNew(options = {}) {
      const name = `contract-${process.pid}-${++count}`;
      return opened.driver.open({
        project: name,
        directory: join(opened.folder, name, "files"),
        stateDirectory: join(opened.folder, name, "state"),
        ...options,
      });
    },
    text: async (path, workspace = opened.shared) =>
      Buffer.from((await workspace.files.read(toProjectPath(path))).bytes).toString(),
    exited(exit) {
      expect(exit.kind, exit.output).toBe("exited");
      return exit as Extract<Exit, { kind: "exited" }>;
    },
    paths: async (under = ".") =>
      (await opened.shared.files.list({ under: toProjectPath(under) })).files.map(
        (file) => file.path,
      ),
    rule: register(false),
    apart: register(true),
  };
}
