import { z } from "zod";
import { gatherOutput } from "./outputs/gather-output.ts";
import { prose } from "../text/prose.ts";
import { describeCall } from "./describe-exit.ts";
import { leavesBehind } from "../project/leaves-behind.ts";
import { defineTool } from "./tool.ts";

/** Runs a shell command to its end; one that goes on to listen becomes the project's server. */
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
    return describeCall(command, exit, printed.text(), keepOutput);
  },
});
