import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { keepAttempt } from "../api/comparisons.ts";
import { ApiFailure, sentence } from "../api/request.ts";
import { Confirm } from "../ui/confirm.tsx";
import { words } from "../words/words.ts";

/** Keeps an attempt and opens its project; asks first if the project itself was changed meanwhile. */
export function useKeepAttempt(comparison: string): {
  chooseAttempt: (attempt: number) => void;
  busy: boolean;
  problem: string | undefined;
  dialog: ReactNode;
} {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [asked, setAsked] = useState<{ attempt: number; why: string }>();
  const take = async (attempt: number, overwrite: boolean) => {
    const { project } = await keepAttempt(comparison, attempt, overwrite);
    await Promise.all([
      client.invalidateQueries({ queryKey: ["projects"] }),
      client.invalidateQueries({ queryKey: ["project", project] }),
    ]);
    await navigate({ to: "/p/$project", params: { project } });
  };
  const chooseAttempt = async (attempt: number) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await take(attempt, false);
    } catch (error) {
      if (error instanceof ApiFailure && error.code === "changed")
        setAsked({ attempt, why: sentence(error) });
      else setProblem(sentence(error));
    } finally {
      setBusy(false);
    }
  };
  return {
    chooseAttempt: (attempt) => void chooseAttempt(attempt),
    busy,
    problem,
    dialog: (
      <Confirm
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={words.compare.changedToo}
        action={words.compare.keepAllTheSame}
        onConfirm={() => take(asked?.attempt ?? 0, true)}
      >
        {asked?.why}
      </Confirm>
    ),
  };
}
