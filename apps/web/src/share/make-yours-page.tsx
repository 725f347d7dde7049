import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { forkShared } from "../api/shares.ts";
import { Button } from "../ui/button.tsx";
import { Lost } from "../ui/lost.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

/** The page of a shared conversation for people who are signed in here: it creates a copy as a project. */
export function MakeYoursPage() {
  const { share } = useParams({ from: "/yours/$share" });
  const navigate = useNavigate();
  const client = useQueryClient();
  const { act, busy, problem } = useAct();
  const copy = () =>
    act(async () => {
      const { id } = await forkShared(share);
      await client.invalidateQueries({ queryKey: ["projects"] });
      await navigate({ to: "/p/$project", params: { project: id } });
    });
  return (
    <Lost title={words.share.yours}>
      <span className="mb-3 block">{words.share.yoursAbout}</span>
      <Button kind="primary" size="medium" disabled={busy} onClick={() => void copy()}>
        {words.share.makeYours}
      </Button>
      {problem && (
        <span role="alert" className="mt-2 block text-failed">
          {problem}
        </span>
      )}
    </Lost>
  );
}
