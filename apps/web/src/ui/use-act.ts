import { useState } from "react";
import { sentence } from "../api/request.ts";

/** An action started by a button: whether it is running, and why the last one failed. */
export function useAct() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  /** Runs the action; a failure becomes `problem`. Resolves with whether it succeeded, and never rejects. */
  async function act(work: () => Promise<unknown>): Promise<boolean> {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
      return true;
    } catch (error) {
      setProblem(sentence(error));
      return false;
    } finally {
      setBusy(false);
    }
  }
  return { act, busy, problem };
}
