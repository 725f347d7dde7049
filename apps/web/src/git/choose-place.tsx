import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { gitKey, setGit } from "../api/git.ts";
import { useProjectId } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

/** Sets the repository that the project is pushed to. A login is asked for at the first connection. */
export function ChoosePlace() {
  const project = useProjectId();
  const client = useQueryClient();
  const [url, setUrl] = useState("");
  const [branch, setBranch] = useState("main");
  const { act, busy, problem } = useAct();
  return (
    <form
      aria-label={words.git.existing}
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        void act(async () => {
          await setGit(project, { url: url.trim(), branch: branch.trim(), local: false });
          await client.invalidateQueries({ queryKey: gitKey(project) });
        });
      }}
    >
      <h3 className="font-semibold">{words.git.existing}</h3>
      <div className="flex flex-wrap gap-3">
        <div className="flex min-w-60 flex-3">
          <Field
            label={words.home.gitAddress}
            value={url}
            onText={setUrl}
            required
            placeholder={words.home.gitPlaceholder}
          />
        </div>
        <div className="flex min-w-24 flex-1">
          <Field label={words.git.branch} value={branch} onText={setBranch} required />
        </div>
      </div>
      <Button type="submit" size="medium" disabled={busy}>
        {words.git.choose}
      </Button>
      {problem && (
        <p role="alert" className="text-failed">
          {problem}
        </p>
      )}
    </form>
  );
}
