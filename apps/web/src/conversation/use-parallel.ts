import { useState } from "react";
import type { StartParallel } from "@treadle/protocol";
import { startParallel } from "../api/parallel.ts";
import { sentence } from "../api/request.ts";
import { useCommand } from "../commands/available.ts";

/**
 * Sends the typed text as a request that runs in parallel to the active turn.
 * @param send.isOffered whether the text can be sent as a parallel request now
 * @param send.onProblem called with the reason if it was not sent, and with undefined at each try
 * @returns the function that sends it; undefined while that is not possible
 */
export function useParallel(send: {
  project: string;
  isOffered: boolean;
  request: () => Promise<StartParallel>;
  onProblem: (problem: string | undefined) => void;
  onSent: () => void;
}): (() => void) | undefined {
  const { project, isOffered, request, onProblem, onSent } = send;
  const [busy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    onProblem(undefined);
    try {
      await startParallel(project, await request());
      onSent();
    } catch (error) {
      onProblem(sentence(error));
    } finally {
      setBusy(false);
    }
  };
  const run = isOffered && !busy ? () => void start() : undefined;
  useCommand("parallel", run);
  return run;
}
