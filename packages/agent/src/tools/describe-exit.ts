import type { Exit } from "@treadle/workspace";
import { clipOutput } from "./outputs/clip-output.ts";
import type { KeepOutput } from "./outputs/keep-output.ts";
import { clipLine, clipMiddle } from "../text/clip.ts";
import { plainOutput } from "@treadle/protocol/safe-text";
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { serverText } from "../text/server-text.ts";
import { OUTPUT_LIMIT } from "./limits.ts";
import { refusedNote } from "../project/refused-hosts.ts";
import { done, refused, type ToolOutcome } from "./tool.ts";

const INSTALLS =
  /^\s*(?:npm (?:i|install|ci|add)|pnpm (?:i|install|add)|yarn(?: install| add)?|bun (?:i|install|add))\b/;

/**
 * Describes the result of a command for the model, with a title. A non-zero exit code is an error
 * result.
 */
export function describeExit(command: string, exit: Exit): ToolOutcome {
  const output = plainOutput(exit.output).trim();
  return describeWith(command, exit, clipMiddle(output, OUTPUT_LIMIT, "the whole is in the log"));
}

/**
 * Like `describeExit`, for a call, with a way to read the omitted output.
 * @param printed the complete output, if known
 */
export async function describeCall(
  command: string,
  exit: Exit,
  printed: string,
  keepOutput: KeepOutput | undefined,
): Promise<ToolOutcome> {
  // The exit contains only the end of the output, and text added after the command.
  const fullText = printed.length > exit.output.length ? printed : exit.output;
  const output = await clipOutput(plainOutput(fullText).trim(), OUTPUT_LIMIT, keepOutput);
  return describeWith(command, exit, output);
}

function describeWith(command: string, exit: Exit, output: string): ToolOutcome {
  const name = clipLine(command, 60);
  const outputText = output ? `\n--- output ---\n${output}` : " It printed nothing.";
  const printed = outputText + refusedNote(exit.refused, exit.refusedPackages);
  const seconds = (exit.ms / 1000).toFixed(1);
  switch (exit.kind) {
    case "exited": {
      if (exit.code === 0)
        return done(
          okTitle(command, name, exit.output),
          `Exit code 0 after ${seconds} s.${printed}`,
        );
      const how = exit.signal ? `Ended by ${exit.signal}` : `Exit code ${exit.code}`;
      return refused(
        sentence("failed-with", { command: name, code: String(exit.signal ?? exit.code) }),
        `${how} after ${seconds} s.${printed}`,
      );
    }
    case "timeout":
      return refused(
        sentence("ended-after", { command: name, seconds }),
        `Ended: it took longer than a command may (${seconds} s).${printed}`,
      );
    case "quiet":
      return refused(
        sentence("hung", { command: name }),
        `Ended after ${seconds} s: it printed nothing and did nothing for too long. It may wait for an answer that nobody can give.${printed}`,
      );
    case "aborted":
      return refused(
        sentence("was-stopped", { command: name }),
        `Stopped by the person after ${seconds} s.${printed}`,
      );
    case "adopted":
      return done(
        exit.server.ports[0] === undefined
          ? sentence("started", { command: name })
          : sentence("started-on", { command: name, port: exit.server.ports[0] }),
        `It goes on running as the project's server. ${serverText(exit.server)}${printed}`,
      );
  }
}

function okTitle(command: string, name: string, output: string): Sentence {
  if (!INSTALLS.test(command)) return sentence("ran", { command: name });
  const added = /\badded (\d+) packages?\b/.exec(output)?.[1];
  return added === undefined
    ? sentence("installed-all")
    : sentence("installed-many", { count: Number(added) });
}
