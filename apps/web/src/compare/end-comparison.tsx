import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Comparison } from "@treadle/protocol";
import { useState } from "react";
import { dropComparison, stopComparison } from "../api/comparisons.ts";
import { sentence } from "../api/request.ts";
import { Button } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { noticeError } from "../ui/notice.ts";
import { words } from "../words/words.ts";
import { isOpen } from "./attempts.ts";

/** Buttons that stop all unfinished attempts, and that discard the comparison with all its attempts. */
export function EndComparison({
  comparison: { id, project, attempts },
}: {
  comparison: Comparison;
}) {
  const [asking, setAsking] = useState(false);
  const client = useQueryClient();
  const navigate = useNavigate();
  const stop = async () => {
    try {
      await stopComparison(id);
    } catch (error) {
      noticeError(sentence(error));
    }
    await client.invalidateQueries({ queryKey: ["comparison", id] });
  };
  const drop = async () => {
    await dropComparison(id);
    await client.invalidateQueries({ queryKey: ["projects"] });
    await (project === undefined
      ? navigate({ to: "/" })
      : navigate({ to: "/p/$project", params: { project } }));
  };
  return (
    <>
      {attempts.some(isOpen) && (
        <Button onClick={() => void stop()}>{words.compare.stopAll}</Button>
      )}
      <Button kind="quiet" onClick={() => setAsking(true)}>
        {words.compare.keepNone}
      </Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={words.compare.keepNoneAsk}
        action={words.compare.keepNone}
        onConfirm={drop}
      >
        {words.compare.keepNoneAbout({ amount: attempts.length })}
      </Confirm>
    </>
  );
}
