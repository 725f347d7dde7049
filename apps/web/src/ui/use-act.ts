import { useState } from "react";
import { sentence } from "../api/request.ts";

/** Something that a button starts: whether it goes on, and the sentence that says why it did not work. */
export function useAct() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  /** Tells whether it worked. */
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
