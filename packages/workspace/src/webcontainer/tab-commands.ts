import type { TabStage } from "@treadle/protocol";
import { createBoundedText } from "../guest-workspace/bounded-text.ts";
import { limitByProgress } from "../limits/progress.ts";
import type { TabAsking } from "./tab-asking.ts";
import type { TabFiles } from "./tab-files.ts";

/** Characters stored of a command's output. */
export const OUTPUT_KEPT = 64 * 1024;
const INSTALL =
  /^\s*(?:npm\s+(?:i|install|ci)|pnpm\s+(?:i|install)|yarn(?:\s+install)?|bun\s+(?:i|install))(?:\s+-\S+)*\s*$/;
/** A line in the output of a command whose tab disconnected. */
const AGAIN = "\n[treadle] The tab was closed. The command is run anew in the next one.\n";

/** Whether a command only installs the project's dependencies. */
export const isInstall = (command: string): boolean => INSTALL.test(command);

/** A command and its purpose. */
export interface TabCommand {
  command: string;
  env?: Record<string, string> | undefined;
  /** Whether its writes are copied to the project. */
  takeBack: boolean;
  stage: TabStage;
}

/** A command in the tab, from its start to its end, in whichever tab it runs. */
export interface TabProcess {
  ended: Promise<{ code: number; written: number }>;
  output(): string;
  /** Set by the current listener. */
  onOutput: (text: string) => void;
  cancel(): void;
  /** Removes its time limits from now on. */
  unlimit(): void;
}

export interface TabCommands {
  /**
   * @param limits of its time, which counts only while a tab is connected; `onOver` decides at the
   * end whether to stop it
   */
  launch(
    asked: TabCommand,
    signal: AbortSignal,
    limits: { outerMs: number; quietMs: number; onOver: (why: "timeout" | "quiet") => void },
  ): TabProcess;
  /** Runs the last successful install again, in a new container. */
  installAgain(): Promise<void>;
}

export function createTabCommands(asking: TabAsking, files: TabFiles): TabCommands {
  let installed: string | undefined;

  const askOf = ({ command, env = {}, takeBack, stage }: TabCommand) => ({
    kind: "run" as const,
    command,
    env,
    takeBack,
    stage,
  });

  return {
    launch(asked, signal, limits) {
      const output = createBoundedText(OUTPUT_KEPT);
      const cancelling = new AbortController();
      let cancel = () => {};
      let isLimited = true;
      let limit: ReturnType<typeof limitByProgress> | undefined;
      const print = (text: string) => {
        output.add(text);
        limit?.printed();
        running.onOutput(text);
      };
      const run = async () => {
        const answer = await asking.ask(askOf(asked), {
          // A command cancelled while it waits for a tab is never run.
          signal: AbortSignal.any([signal, cancelling.signal]),
          onOutput: print,
          onAsked(_id, next) {
            cancel = next;
            if (cancelling.signal.aborted) next();
          },
          // Waiting for a tab does not count towards its time limit.
          onOpen() {
            if (isLimited) limit = limitByProgress({ ...limits, activity: async () => undefined });
          },
          onLeft() {
            limit?.end();
            print(AGAIN);
          },
        });
        if (asked.takeBack) await files.takeBack(answer);
        if (answer.code === 0 && isInstall(asked.command)) installed = asked.command;
        return { code: answer.code, written: answer.written };
      };
      const running: TabProcess = {
        ended: Promise.resolve().then(run),
        output: () => output.toString(),
        onOutput: () => {},
        cancel() {
          cancelling.abort();
          cancel();
        },
        unlimit() {
          isLimited = false;
          limit?.end();
        },
      };
      running.ended.catch(() => undefined);
      return running;
    },
    async installAgain() {
      if (installed === undefined) return;
      await asking.askNow(askOf({ command: installed, takeBack: true, stage: "install" }));
    },
  };
}
