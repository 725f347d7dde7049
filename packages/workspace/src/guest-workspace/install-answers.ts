import type { InstallAnswer, InstallAsk } from "../wire/install.ts";
import type { GuestMessage } from "../wire/messages.ts";
import type { GuestLink } from "./guest-link.ts";
import type { InstallCall } from "./sandbox-host.ts";

/** Maximum number of package managers that wait for an answer at once. */
const MAX_INSTALLS = 32;

/** Answers package managers that are called inside the sandbox. */
export function createInstallAnswers<Started extends GuestLink>(options: {
  install(
    asker: Started,
    asked: InstallAsk,
    call: Omit<InstallCall, "inside">,
  ): Promise<InstallAnswer>;
  /** Called before each install. */
  started(): void;
}) {
  /** Controllers of pending requests, by request number. */
  const waiting = new Map<number, AbortController>();

  return {
    /** Whether a request is pending. */
    any: () => waiting.size > 0,

    /**
     * Answers a request, after the install if there is one. Never rejects: the program that asked and the sandbox may
     * be gone by then.
     */
    async answer(
      asker: Started,
      { ask, asked }: Extract<GuestMessage, { kind: "install" }>,
    ): Promise<void> {
      const answer = (given: InstallAnswer) =>
        asker.request("install-answer", { ask, answer: given }).catch(() => undefined);
      const itself: InstallAnswer = { act: "run", manager: asked.manager, args: asked.args };
      // Package managers send neither duplicates nor this many requests.
      if (waiting.has(ask) || waiting.size >= MAX_INSTALLS) return void (await answer(itself));
      const going = new AbortController();
      waiting.set(ask, going);
      // A sandbox that has ended does not report that the programs in it are gone.
      void asker.ended.then(() => going.abort());
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

    /** The program that asked has exited. */
    gone(ask: number): void {
      waiting.get(ask)?.abort();
      waiting.delete(ask);
    },
  };
}
