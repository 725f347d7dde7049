import { z } from "zod";
import { gatherOutput } from "./outputs/gather-output.ts";
import { prose } from "../text/prose.ts";
import { describeCall } from "./describe-exit.ts";
import { postgresNote } from "../project/postgres-refused.ts";
import { leavesBehind } from "../project/leaves-behind.ts";
import { defineTool } from "./tool.ts";

/** Runs a shell command to its end; one that starts listening becomes the project's server. */
export const runCommand = defineTool({
  name: "run_command",
  description: prose(new URL("./run-command.md", import.meta.url)),
  input: z.object({ command: z.string().min(1), requires_approval: z.boolean().optional() }),
  async execute({ command }, { workspace, signal, onOutput, keepOutput }) {
    const printed = gatherOutput();
    const exit = await workspace.run(command, {
      adopt: !leavesBehind(command),
      signal,
      onOutput(text) {
        printed.add(text);
        onOutput(text);
      },
    });
    const outcome = await describeCall(command, exit, printed.text(), keepOutput);
    // A successful command may only have printed such a line, for example in a help page.
    if (outcome.ok && exit.kind !== "adopted") return outcome;
    const note = postgresNote(workspace, printed.text() + exit.output);
    return { ...outcome, result: outcome.result + note };
  },
});
