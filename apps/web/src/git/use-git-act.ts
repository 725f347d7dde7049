import { useState } from "react";
import { ApiFailure, sentence } from "../api/request.ts";

/** Why a git operation failed. The page offers an action by its code: `git-login`, `git-local`, `git-moved`. */
export interface GitProblem {
  code: string;
  text: string;
}

/** A git operation started by a button: what is running, and why the last one failed. */
export function useGitAct<Doing extends string>() {
  const [doing, setDoing] = useState<Doing>();
  const [problem, setProblem] = useState<GitProblem>();
  async function act(what: Doing, work: () => Promise<unknown>): Promise<void> {
    setDoing(what);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setProblem({ code: error instanceof ApiFailure ? error.code : "", text: sentence(error) });
    } finally {
      setDoing(undefined);
    }
  }
  return { act, doing, problem };
}
