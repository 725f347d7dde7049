import { asSentence, sentence } from "@treadle/protocol/sentences";
import { WorkspaceError, type Workspace } from "@treadle/workspace";
import type { DataCopies } from "../../ports/data-copies.ts";
import { findInnerPackages } from "../../project/inner-packages.ts";
import type { ProjectFacts } from "../../project/project-facts.ts";
import { clipLine } from "../../text/clip.ts";
import { describeExit } from "../../tools/describe-exit.ts";
import { cleanInstallCommands } from "./install-from-clean.ts";
import type { ServerCommand } from "../../project/server-command.ts";

/** Time limit for installing and building in one copy, in milliseconds. */
const PREPARE_MS = 60_000;
const SUBJECT_CHARS = 200;

/**
 * Opens copies without the output that commands wrote beside the sources: the revision's files, its
 * dependencies from its lock files, and the output of its own scripts.
 */
export interface CopiesWithoutMade {
  /** Opens a copy for the app's server, after building what it serves. */
  app(command: ServerCommand): DataCopies;
  /** Does the same as `Workspace.prove`, in such a copy. */
  proving: Pick<Workspace, "prove">;
}

/** @param copies copies of the project */
export async function copiesWithoutMade(
  facts: ProjectFacts,
  workspace: Workspace,
  copies: DataCopies,
  signal: AbortSignal,
): Promise<CopiesWithoutMade> {
  const installs = await cleanInstallCommands(
    facts,
    await findInnerPackages(facts, workspace),
    workspace,
  );

  const opening = (commands: readonly string[]): DataCopies => ({
    ...copies,
    async open(options) {
      const copy = await copies.open({ ...options, clean: true });
      if (!copy) return undefined;
      const ends = AbortSignal.any([signal, AbortSignal.timeout(PREPARE_MS)]);
      try {
        for (const command of commands) {
          const exit = await copy.workspace.run(command, { signal: ends, isOwn: true });
          signal.throwIfAborted();
          if (exit.kind !== "exited" || exit.code !== 0)
            throw new WorkspaceError("failed", asSentence(describeExit(command, exit).result));
        }
        return copy;
      } catch (error) {
        await copy.close();
        throw error;
      }
    },
  });

  return {
    app: ({ build }) => opening(build === undefined ? installs : [...installs, build]),
    proving: {
      async prove(command, options) {
        const copy = await opening(installs).open();
        if (!copy) throw new WorkspaceError("failed", sentence("copies-unsupported"));
        try {
          return await copy.workspace.run(command, { ...options, isOwn: true });
        } finally {
          await copy.close();
        }
      },
    },
  };
}

/** The subject of the finding that a look has used output of commands. */
export const madeSubject = (made: readonly string[]): string =>
  clipLine(made.join(", "), SUBJECT_CHARS);
