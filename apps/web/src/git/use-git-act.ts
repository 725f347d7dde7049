import { useState } from "react";
import { ApiFailure, sentence } from "../api/request.ts";

/** Why git did not do it. By its code the page knows what to offer: `git-login`, `git-local`, `git-moved`. */
export interface GitProblem {
  code: string;
  text: string;
}

/** Something that a button has git do: what goes on, and why it did not work. */
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
