import { WorkspaceError, type Exit, type Workspace } from "@treadle/workspace";
import { clauses, sentence } from "@treadle/protocol/sentences";
import { describeExit } from "../../tools/describe-exit.ts";
import type { Observation } from "../observation.ts";
import { inProject, type ProjectFacts } from "../../project/project-facts.ts";
import { innerScripts } from "../../project/inner-scripts.ts";
import { runsChecker } from "./runs-checker.ts";

const COUNT_LINE = /\n?\[treadle\] files written: (\d+)\s*$/;

/**
 * The command that proves that the project builds: its build script, its type check or, if it has neither, TypeScript itself.
 * A plain TypeScript check can only prove success: its errors do not prevent `tsx` or Node from running the app.
 */
export function buildCommand({
  manifest,
  tsconfig,
}: ProjectFacts): { command: string; script: string; own: boolean } | undefined {
  const scripts = manifest?.scripts ?? {};
  for (const name of ["build", "typecheck", "type-check", "check-types"]) {
    const script = scripts[name];
    if (script !== undefined) return { command: `npm run ${name}`, script, own: true };
  }
  if (tsconfig && manifest?.dependencies["typescript"] !== undefined)
    return { command: "npx --no-install tsc --noEmit", script: "tsc --noEmit", own: false };
  return undefined;
}

/**
 * Like `buildCommand`, but falls back to the packages in the project's folders if only those have a build.
 * @returns a command that runs in the workspace's root folder
 */
export async function findBuild(
  facts: ProjectFacts,
  workspace: Workspace,
): Promise<{ command: string; whole: string; script: string; own: boolean } | undefined> {
  const build = buildCommand(facts);
  if (build?.own) return { ...build, whole: inProject(facts, build.command) };
  const inner = await innerScripts(facts, workspace, "build");
  if (inner)
    return {
      command: inner.command,
      whole: inner.command,
      script: inner.texts.join(" && "),
      own: true,
    };
  return build && { ...build, whole: inProject(facts, build.command) };
}

/**
 * Builds in a throw-away layer. An exit code of 0 alone is no proof: the build must have written files, or have
 * been a type check.
 * @param prover the workspace that builds the project; by default that of the observation
 */
export async function observeBuild(
  facts: ProjectFacts,
  look: Observation,
  prover: Pick<Workspace, "prove" | "countsWrites"> = look.workspace,
): Promise<void> {
  const { signal, settle, clock } = look;
  const build = await findBuild(facts, look.workspace);
  if (!build) {
    settle("build", "inapplicable", sentence("no-build"));
    return;
  }
  const since = clock.now();
  settle("build", "going", sentence("is-running", { command: build.command }));
  let exit: Exit;
  try {
    exit = await prover.prove(prover.countsWrites ? build.whole : countingWrites(build.whole), {
      signal,
    });
  } catch (error) {
    // Without a layer the build stays untried. A workspace that no longer exists ends the observation.
    if (!(error instanceof WorkspaceError) || error.code !== "failed") throw error;
    settle(
      "build",
      "untried",
      sentence("not-tried", { command: build.command, why: error.message }),
    );
    return;
  }
  signal.throwIfAborted();
  const counted = exit.kind === "exited" ? exit.written : undefined;
  const written = counted ?? Number(COUNT_LINE.exec(exit.output)?.[1] ?? 0);
  const described = describeExit(build.command, {
    ...exit,
    output: exit.output.replace(COUNT_LINE, ""),
  } as Exit);
  if (exit.kind === "adopted") {
    settle("build", "inapplicable", sentence("went-on", { command: build.command }), { since });
    return;
  }
  if (exit.kind !== "exited" || exit.code !== 0) {
    const { command } = build;
    const how =
      exit.kind === "exited"
        ? sentence("ended-with", { command, code: String(exit.code) })
        : sentence("did-not-end", { command, how: exit.kind });
    if (build.own) settle("build", "failed", how, { since, detail: described.result });
    else
      settle(
        "build",
        "inapplicable",
        clauses(sentence("no-build"), sentence("not-asked-for", { what: how })),
        { since, detail: described.result },
      );
  } else if (written > 0 || runsChecker(build.script, facts.manifest?.scripts ?? {}))
    settle(
      "build",
      "held",
      written > 0
        ? sentence("wrote-files", { command: build.command, count: written })
        : sentence("ended-with", { command: build.command, code: "0" }),
      {
        since,
        detail: described.result,
      },
    );
  else
    settle("build", "inapplicable", sentence("proves-nothing", { command: build.command }), {
      since,
      detail: described.result,
    });
}

/** Runs the command, prints how many files are newer than its start, and exits with the command's own code. */
function countingWrites(command: string): string {
  return [
    "marker=$(mktemp)",
    `( ${command} )`,
    "status=$?",
    `printf '\\n[treadle] files written: %s\\n' "$(find . \\( -name node_modules -o -name .git \\) -prune -o -type f -newer "$marker" -print 2>/dev/null | head -n 5000 | wc -l)"`,
    'rm -f "$marker"',
    "exit $status",
  ].join("; ");
}
