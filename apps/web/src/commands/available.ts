import { useEffect, useEffectEvent } from "react";
import { create } from "zustand";
import { sentence } from "../api/request.ts";
import { noticeError } from "../ui/notice.ts";
import type { CommandId } from "./list.ts";

type Run = () => unknown;

/** The actions currently available, by command; the component mounted last runs the command. */
export const useAvailable = create<{ runs: ReadonlyMap<CommandId, readonly Run[]> }>(() => ({
  runs: new Map(),
}));

function offer(id: CommandId, run: Run): () => void {
  const change = (next: (before: readonly Run[]) => readonly Run[]) =>
    useAvailable.setState(({ runs }) => {
      const list = next(runs.get(id) ?? []);
      const others = [...runs].filter(([other]) => other !== id);
      return { runs: new Map(list.length === 0 ? others : [...others, [id, list]]) };
    });
  change((before) => [...before, run]);
  return () => change((before) => before.filter((one) => one !== run));
}

/**
 * Makes a command available while the component is mounted.
 * @param run the action; undefined or false if it is unavailable now
 */
export function useCommand(id: CommandId, run: Run | undefined | false): void {
  const there = Boolean(run);
  const act = useEffectEvent(() => {
    if (run) return run();
  });
  useEffect(() => (there ? offer(id, () => act()) : undefined), [id, there]);
}

/** Runs a command and shows a notice if it fails. Returns whether it was available. */
export function runCommand(id: CommandId): boolean {
  const run = useAvailable.getState().runs.get(id)?.at(-1);
  if (!run) return false;
  void (async () => run())().catch((error: unknown) => noticeError(sentence(error)));
  return true;
}
