import type { LogEvent } from "@treadle/protocol";
import { isCommand, isForeignTool, toolKind } from "@treadle/protocol/tools";
import type { Authors } from "./authors.ts";

/**
 * Whether changes during a tool's call are attributed to it: for commands, and for external tools, which may also
 * change files.
 */
const mayWrite = (tool: string) => isCommand(toolKind(tool)) || isForeignTool(tool);

/**
 * Detects from a run's own events when one of its commands runs, so that changes meanwhile are
 * attributed to the command.
 */
export function commandWatch(authors: Pick<Authors, "commandRuns">): {
  see(event: LogEvent): void;
  close(): void;
} {
  const commands = new Set<string>();
  const running = new Map<string, () => void>();
  const end = (key: string) => {
    running.get(key)?.();
    running.delete(key);
  };
  return {
    see(event) {
      if (event.type === "call-open" && mayWrite(event.tool)) commands.add(event.call);
      else if (event.type === "call-start" && commands.has(event.call))
        running.set(event.call, authors.commandRuns());
      else if (event.type === "call-end") end(event.call);
      else if (event.type === "evidence") {
        // The loop itself installs packages before it observes the app.
        const going = event.evidence.parts.install.state === "going";
        if (going && !running.has("evidence")) running.set("evidence", authors.commandRuns());
        else if (!going) end("evidence");
      }
    },
    close() {
      for (const key of running.keys()) end(key);
    },
  };
}
