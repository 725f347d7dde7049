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

/** Milliseconds after which a sandbox that does not say what its processes left is ended without it. */
const LOOK_MS = 8_000;

const keyOf = (project: string) => `protected:${project}`;

/** A file that stands otherwise than anybody agreed to; an empty version: it was removed. */
export interface UnaskedChange {
  path: ProjectPath;
  version: string;
  told: boolean;
}

/**
 * Protected files are those that are obeyed outside the sandbox: rules, skills, hooks, settings of editors and of package
 * managers, install scripts. This knows which content of each was agreed to (A24).
 */
export interface ProtectedFiles extends TrustParticipant {
  isAccepted: IsAccepted;
  changed(workspace: Workspace): Promise<UnaskedChange[]>;
  /** Those of `changed` that the person was not told of yet; they count as told then. */
  untold(changed: readonly UnaskedChange[]): UnaskedChange[];
  /**
   * The person agrees to what a file became: as it stands, or as it was before it was put back.
   * @param left version that it was put back to, which alone is written over
   * @throws ApiFailure 409 where something else stands by now, 404 where it is not kept any more
   */
  use(workspace: Workspace, path: ProjectPath, version: string, left?: string): Promise<void>;
  /** Keeps a file as it had become. Never rejects. */
  keepPutBack(bytes: Uint8Array): Promise<boolean>;
}

export function createProtectedFiles(parts: {
  store: Store;
  project: string;
  /** Where the project's own things are kept. */
  folder: string;
  /** The person is going to change files. */
  personActs(paths: readonly ProjectPath[]): Act;
  onNotice(text: string): void;
}): ProtectedFiles {
  const { store, project } = parts;
  const putBack = keptPutBack(parts.folder);
  let files: AcceptedFiles = createAcceptedFiles();
  let saving: Promise<void> = Promise.resolve();

  /** What is not kept is not agreed to after a restart: asked about again, and nothing worse. */
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

  /** What stands, where all of it is known. */
  async function whatStands(workspace: Workspace): Promise<Versions | undefined> {
    const { versions, more } = await protectedVersions(workspace);
    // A file that is not looked at now must not be taken for one that came later.
    return more ? undefined : versions;
  }

  /** The person or the model left this content of a file; an empty version: removed it. */
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
      // Durable before a process can change anything: after a kill it must not be taken for the first time again.
      await store.settings.set(keyOf(project), files.snapshot());
    },
    async released({ workspace, quiet }) {
      const looking = quiet ? whatStands(workspace).catch(() => undefined) : undefined;
      files.ended(looking && (await inTime(looking, LOOK_MS)));
      await save();
    },
    async modelWrote(workspace, path, version, unseen) {
      // Where it is a protected one, the person approved it.
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
        // Who gives a file such a name means it; a folder may hold what they never saw.
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
      // What stood when the last process had ended is another folder's.
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

  /** @returns the version by which it is agreed to */
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
