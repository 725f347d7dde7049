import { isProtectedPath, isUnder, movedPath } from "@treadle/protocol/project-path";
import type { ProjectPath } from "@treadle/protocol";
import {
  isManifest,
  protectedVersion,
  protectedVersions,
  readFileVersion,
  toldToModel,
  type IsAccepted,
} from "@treadle/agent";
import type { Store } from "@treadle/store";
import { WorkspaceError, type Workspace } from "@treadle/workspace";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure, inTime } from "@treadle/common";
import {
  createAcceptedFiles,
  type AcceptedFiles,
  type KeptAccepted,
  type Versions,
} from "./accepted-files.ts";
import type { Act } from "./authors.ts";
import { announcedFiles } from "./announced-files.ts";
import { keptPutBack } from "./kept-put-back.ts";
import type { TrustParticipant } from "./participant.ts";

/**
 * Milliseconds after which a sandbox that does not report what its processes left is ended anyway.
 */
const LOOK_MS = 8_000;

const keyOf = (project: string) => `protected:${project}`;

/** A file that differs from its approved version; an empty version: it was removed. */
export interface UnaskedChange {
  path: ProjectPath;
  version: string;
  told: boolean;
}

/**
 * Protected files are those that programs outside the sandbox obey: rules, skills, hooks, settings
 * of editors and of package managers, install scripts. This tracks which content of each was
 * approved (A24).
 */
export interface ProtectedFiles extends TrustParticipant {
  isAccepted: IsAccepted;
  changed(workspace: Workspace): Promise<UnaskedChange[]>;
  /** Those of `changed` that were not reported to the person yet; marks them as reported. */
  untold(changed: readonly UnaskedChange[]): UnaskedChange[];
  /**
   * The person approves the new version of a file: the current one, or the one from before it was
   * reverted.
   * @param left the version to which it was reverted, which alone is overwritten
   * @throws ApiFailure 409 if the file has another version by now, 404 if the new version is not
   * stored any more
   */
  use(workspace: Workspace, path: ProjectPath, version: string, left?: string): Promise<void>;
  /** Stores the changed version of a reverted file. Never rejects. */
  keepPutBack(bytes: Uint8Array): Promise<boolean>;
}

export function createProtectedFiles(parts: {
  store: Store;
  project: string;
  /** Folder of the project's own state. */
  folder: string;
  /** The person is about to change files. */
  personActs(paths: readonly ProjectPath[]): Act;
  onNotice(text: string): void;
}): ProtectedFiles {
  const { store, project } = parts;
  const putBack = keptPutBack(parts.folder);
  let files: AcceptedFiles = createAcceptedFiles();
  let saving: Promise<void> = Promise.resolve();

  /** Saves the approvals. One that could not be stored has to be given again after a restart. */
  function save(): Promise<void> {
    saving = saving
      .then(() => store.settings.set(keyOf(project), files.snapshot()))
      .catch((error: Error) => parts.onNotice(`What was agreed to was not kept: ${error.message}`));
    return saving;
  }

  const unasked = async (workspace: Workspace) =>
    files
      .changed((await protectedVersions(workspace)).versions)
      .map((change) => ({ ...change, told: toldToModel(change.path) }));

  /** The current versions, if all are known. */
  async function whatStands(workspace: Workspace): Promise<Versions | undefined> {
    const { versions, more } = await protectedVersions(workspace);
    // A file left out of the listing must not be mistaken for one that is new.
    return more ? undefined : versions;
  }

  /** Approves content of a file that the person or the model wrote; an empty version: its removal. */
  async function agreed(workspace: Workspace, path: ProjectPath, version: string): Promise<void> {
    if (version === "") files.accept(path, "");
    else if (isProtectedPath(path) || isManifest(path)) {
      const current = await readFileVersion(workspace, path, "");
      if (current.version === version) files.accept(path, protectedVersion(path, current));
      else if (isProtectedPath(path)) files.accept(path, version);
      else return;
    } else return;
    void save();
  }

  return {
    isAccepted: (path, version) => files.isAccepted(path, version),
    async opened({ workspace }) {
      files = createAcceptedFiles(await store.settings.get<KeptAccepted>(keyOf(project)));
      files.opened((await protectedVersions(workspace)).versions);
      // Durable before a process can change anything: after a kill this must not count as the first
      // opening.
      await store.settings.set(keyOf(project), files.snapshot());
    },
    async released({ workspace, quiet }) {
      const looking = quiet ? whatStands(workspace).catch(() => undefined) : undefined;
      files.ended(looking && (await inTime(looking, LOOK_MS)));
      await save();
    },
    async modelWrote(workspace, path, version, unseen) {
      // The person has approved the write, if the file is protected.
      if (!unseen) await agreed(workspace, path, version);
    },
    personSaved: agreed,
    async personGave(workspace, path, version) {
      const current = await readFileVersion(workspace, path, "");
      const given = current.version === version ? protectedVersion(path, current) : "";
      if (files.wasAccepted(path, given)) await agreed(workspace, path, version);
    },
    async personRenamed(workspace, from, to) {
      const { versions } = await protectedVersions(workspace);
      for (const [path, version] of versions) {
        if (!isUnder(path, to)) continue;
        const former = movedPath(path, to, from);
        const isLookedAfter = isProtectedPath(former) || isManifest(former);
        // Renaming a file to such a name is intended; a folder may contain files that the person
        // never saw.
        if (isLookedAfter ? files.isAccepted(former, version) : path === to)
          files.accept(path, version);
      }
      files.accept(from, "");
      void save();
    },
    async restored({ workspace }) {
      files.restored((await protectedVersions(workspace)).versions);
      void save();
    },
    async copied(to) {
      await saving;
      // The state after the last process belongs to another folder.
      const { left: _left, ...accepted } = files.snapshot();
      await store.settings.set(keyOf(to), accepted);
    },
    removed: () => store.settings.remove(keyOf(project)),
    changed: unasked,
    untold(changed) {
      const fresh = files.announce(changed);
      if (fresh.length > 0) void save();
      return fresh;
    },
    async use(workspace, path, version, left) {
      const { versions } = await protectedVersions(workspace);
      if ((versions.get(path) ?? "") === version) files.accept(path, version);
      else if (left === undefined) throw changedAgain();
      else files.accept(path, await makeSo(workspace, path, version, left));
      await save();
    },
    keepPutBack: (bytes) => putBack.save(bytes),
  };

  /** Writes a version into the file. @returns the version that is approved by this */
  async function makeSo(
    workspace: Workspace,
    path: ProjectPath,
    version: string,
    left: string,
  ): Promise<string> {
    const files = announcedFiles(workspace, parts.personActs);
    try {
      if (version === "") {
        await files.remove(path, async () => {
          const { version: current } = await workspace.files.read(path);
          if (current !== left) throw changedAgain();
        });
        return "";
      }
      const bytes = await putBack.read(version);
      if (!bytes)
        throw new ApiFailure(404, "not-kept", sentence("accepted-version-gone", { path }));
      await files.write(path, bytes, { ifVersion: left });
      return protectedVersion(path, { version, bytes });
    } catch (error) {
      if (
        error instanceof WorkspaceError &&
        (error.code === "conflict" || error.code === "missing")
      )
        throw changedAgain();
      throw error;
    }
  }
}

const changedAgain = () => new ApiFailure(409, "changed", sentence("stale", { what: "file" }));
