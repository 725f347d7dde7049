import type { InstallAnswer, InstallAsk } from "../wire/install.ts";
import type { GuestMessage } from "../wire/messages.ts";
import type { GuestLink } from "./guest-link.ts";
import type { InstallCall } from "./sandbox-host.ts";

/** Package managers that wait for an answer at a time. */
const MAX_INSTALLS = 32;

/** Answers the package managers that are typed inside. */
export function createInstallAnswers<Started extends GuestLink>(options: {
  install(
    asker: Started,
    asked: InstallAsk,
    call: Omit<InstallCall, "inside">,
  ): Promise<InstallAnswer>;
  /** Called before each. */
  started(): void;
}) {
  /** Who waits for an answer, by the number of its question. */
  const waiting = new Map<number, AbortController>();

  return {
    /** Whether one waits. */
    any: () => waiting.size > 0,

    /** Never rejects: who asked may be gone by then, and the sandbox as well. */
    async answer(
      asker: Started,
      { ask, asked }: Extract<GuestMessage, { kind: "install" }>,
    ): Promise<void> {
      const answer = (given: InstallAnswer) =>
        asker.request("install-answer", { ask, answer: given }).catch(() => undefined);
      const itself: InstallAnswer = { act: "run", manager: asked.manager, args: asked.args };
      // No package manager asks this often.
      if (waiting.has(ask) || waiting.size >= MAX_INSTALLS) return void (await answer(itself));
      const going = new AbortController();
      waiting.set(ask, going);
      const write = (text: string) =>
        void asker.request("install-say", { ask, text }).catch(() => undefined);
      try {
        options.started();
        await answer(await options.install(asker, asked, { write, signal: going.signal }));
      } catch (error) {
        if (!going.signal.aborted) write(`${(error as Error).message}\n`);
        await answer(itself);
      } finally {
        waiting.delete(ask);
      }
    },

    /** Who asked has gone. */
    gone(ask: number): void {
      waiting.get(ask)?.abort();
      waiting.delete(ask);
    },
  };
}
