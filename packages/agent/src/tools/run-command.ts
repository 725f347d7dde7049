import { z } from "zod";
import { prose } from "../text/prose.ts";
import { describeExit } from "./describe-exit.ts";
import { defineTool } from "./tool.ts";

/** Runs a shell command to its end; one that goes on to listen becomes the project's server. */
export const runCommand = defineTool({
  name: "run_command",
  description: prose(new URL("./run-command.md", import.meta.url)),
  input: z.object({ command: z.string().min(1), requires_approval: z.boolean().optional() }),
  changes: true,
  commands: true,
  async execute({ command }, { workspace, signal, onOutput }) {
    const exit = await workspace.run(command, { adopt: true, onOutput, signal });
    return describeExit(command, exit);
  },
});
