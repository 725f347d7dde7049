import { plainOutput, tailOf } from "@treadle/protocol/safe-text";
import { WorkspaceError } from "@treadle/workspace";
import { summaryOf } from "@treadle/protocol/evidence";
import { clauses, sentence, type Sentence } from "@treadle/protocol/sentences";
import { innerScripts } from "../../project/inner-scripts.ts";
import { inProject, type ProjectFacts } from "../../project/project-facts.ts";
import type { Observation } from "../observation.ts";

/** The placeholder script that npm writes for a project without tests. */
const PLACEHOLDER = /^echo "Error: no test specified" && exit 1$/;
/** Milliseconds that the tests may take in total, and without any output. */
const WHOLE_MS = 60_000;
const QUIET_MS = 30_000;
/** Characters kept from the end of the output, where the failures are listed. */
const DETAIL_CHARS = 2_000;

/**
 * Runs the project's own tests in a throw-away layer, if it or a package in its folders has a `test` script. A pass is noted
 * beside the build. A failure is only a finding, because the tests may need something that is missing here. Silence without
 * an exit, as from a runner that watches for changes, is a finding as well. Tests that exceed the time limit prove nothing.
 * @param limits milliseconds that the tests may take in total, and without any output
 */
export async function observeTests(
  facts: ProjectFacts,
  look: Observation,
  limits = { timeoutMs: WHOLE_MS, quietMs: QUIET_MS },
): Promise<void> {
  const { workspace, signal, finding, evidence, settle, clock } = look;
  const isTest = (text: string) => text.trim() !== "" && !PLACEHOLDER.test(text.trim());
  const inner = await innerScripts(facts, workspace, "test", isTest);
  if (!inner && !isTest(facts.manifest?.scripts["test"] ?? "")) return;
  const command = inner?.command ?? `${facts.manager?.name ?? "npm"} test`;
  const remark = (words: Sentence) => {
    const { build } = evidence.parts;
    const { state, detail, ms } = build;
    settle("build", state, clauses(summaryOf(build), words), {
      detail,
      since: ms === undefined ? undefined : clock.now() - ms,
    });
  };
  try {
    // With `CI`, test runners run once instead of watching.
    const exit = await workspace.prove(
      `export CI=1; ${inner ? command : inProject(facts, command)}`,
      {
        signal,
        ...limits,
      },
    );
    signal.throwIfAborted();
    if (exit.kind === "exited" && exit.code === 0) remark(sentence("tests-passed", { command }));
    else if (exit.kind === "timeout")
      remark(sentence("tests-too-long", { command, seconds: String(limits.timeoutMs / 1_000) }));
    else
      finding({
        code: exit.kind === "exited" ? "tests-failed" : "tests-endless",
        subject: command,
        detail: tailOf(plainOutput(exit.output).trim(), DETAIL_CHARS),
      });
  } catch (error) {
    // Without a layer the tests stay untried.
    if (!(error instanceof WorkspaceError) || error.code !== "failed") throw error;
  }
}
