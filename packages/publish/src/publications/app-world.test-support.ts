import { isDeepStrictEqual } from "node:util";
import type { Happening, World } from "@treadle/protocol/testing";
import {
  ASLEEP,
  RETRY_AFTER_MS,
  transition,
  type AppEffect,
  type AppEvent,
  type AppState,
} from "./app-transitions.ts";

/**
 * Simulated visitors, sweeps and sandboxes around one published app. Fails if two sandboxes run at
 * the same time, if one is left behind, or if a request gets no answer.
 */
export function appWorld(): World<AppState, AppEvent, AppEffect> {
  const sandboxes = new Map<number, "opening" | "open" | "ended">();
  const starting = new Set<number>();
  const waiting = { files: 0, app: 0, end: 0 };
  let at = 0;
  let isEnding = false;
  /** The state before a report of an ended sandbox, which must not change it. */
  let unchanged: AppState | undefined;

  const isAlive = () => [...sandboxes.values()].some((one) => one !== "ended");

  function answer(name: keyof typeof waiting): [] {
    waiting[name] = 0;
    return [];
  }

  function perform(effect: AppEffect): Happening<AppEvent>[] {
    switch (effect.type) {
      case "open": {
        if (isAlive()) throw new Error("two sandboxes of one release");
        const { sandbox } = effect;
        sandboxes.set(sandbox, "opening");
        return [
          () => {
            sandboxes.set(sandbox, "open");
            return { type: "opened", sandbox };
          },
          () => {
            sandboxes.set(sandbox, "ended");
            return { type: "open-failed", sandbox, at, error: "no room" };
          },
        ];
      }
      case "start": {
        const { sandbox } = effect;
        if (sandboxes.get(sandbox) !== "open") throw new Error("started where no sandbox is");
        if (starting.has(sandbox)) throw new Error("started twice");
        starting.add(sandbox);
        const end = (event: AppEvent) => () => {
          starting.delete(sandbox);
          return event;
        };
        return [
          end({ type: "started", sandbox, at, ports: [3000] }),
          end({ type: "start-failed", sandbox, at, error: "it throws" }),
        ];
      }
      case "end": {
        const { sandbox } = effect;
        if (isEnding) throw new Error("ended twice");
        isEnding = true;
        return [
          () => {
            isEnding = false;
            sandboxes.set(sandbox, "ended");
            return { type: "ended", sandbox };
          },
          () => {
            isEnding = false;
            return { type: "end-failed", sandbox, error: "busy" };
          },
        ];
      }
      case "give-files":
        if (sandboxes.get(effect.sandbox) !== "open") throw new Error("given a sandbox that is not open"); // prettier-ignore
        return answer("files");
      case "refuse-files":
        return answer("files");
      case "give-app":
      case "refuse-app":
        return answer("app");
      case "tell-end":
      case "refuse-end":
        return answer("end");
    }
  }

  const ask = (name: keyof typeof waiting, event: () => AppEvent) => () => {
    waiting[name]++;
    return event();
  };
  const sleep = ask("end", () => ({ type: "sleep" }));

  return {
    initial: ASLEEP,
    transition,
    perform,
    offers(state) {
      const reports = [...sandboxes].flatMap(([sandbox, is]) => {
        if (is === "opening") return [];
        const report = (event: AppEvent) => () => {
          if (sandbox !== state.sandbox) unchanged = state;
          return event;
        };
        return [
          report({ type: "server-up", sandbox, at, ports: [4000] }),
          report({ type: "server-down", sandbox }),
          report({ type: "lost", sandbox }),
        ];
      });
      return [
        ask("files", () => ({ type: "open" })),
        ask("app", () => ({ type: "start", at })),
        ask("app", () => ({ type: "start", at })),
        sleep,
        () => void (at += RETRY_AFTER_MS / 2),
        ...reports,
      ];
    },
    check(state) {
      if (unchanged && !isDeepStrictEqual(state, unchanged))
        throw new Error("a sandbox that is over changed what is");
      unchanged = undefined;
    },
    closing: [
      () => {
        if (waiting.files + waiting.app + waiting.end > 0)
          throw new Error(`nobody answers ${JSON.stringify(waiting)}`);
        return sleep();
      },
    ],
    checkAtEnd(state) {
      if (waiting.files + waiting.app + waiting.end > 0)
        throw new Error(`nobody answered ${JSON.stringify(waiting)}`);
      if (isAlive()) throw new Error("a sandbox is left behind");
      if (state.kind !== "asleep") throw new Error("it never comes to its end");
    },
    anyEvents: [
      { type: "open" },
      { type: "start", at: 1 },
      { type: "sleep" },
      ...[0, 1, 2].flatMap((sandbox): AppEvent[] => [
        { type: "opened", sandbox },
        { type: "open-failed", sandbox, at: 1, error: "x" },
        { type: "started", sandbox, at: 1, ports: [] },
        { type: "start-failed", sandbox, at: 1, error: "x" },
        { type: "server-up", sandbox, at: 1, ports: [] },
        { type: "server-down", sandbox },
        { type: "lost", sandbox },
        { type: "ended", sandbox },
        { type: "end-failed", sandbox, error: "x" },
      ]),
    ],
  };
}
