import { useState } from "react";
import { sentence } from "../api/request.ts";

/** Something that a button starts: whether it goes on, and the sentence that says why it did not work. */
export function useAct() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  async function act(work: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setProblem(sentence(error));
    } finally {
      setBusy(false);
    }
  }
  return { act, busy, problem };
}
