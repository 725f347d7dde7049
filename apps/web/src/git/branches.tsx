import { useQuery } from "@tanstack/react-query";
import { visible } from "@treadle/protocol/safe-text";
import { useId, useState } from "react";
import { createBranch, overviewKey, readOverview, switchBranch } from "../api/git-branches.ts";
import { sentence } from "../api/request.ts";
import { useProjectId } from "../live/live-context.tsx";
import { saveEdits } from "../project/unsaved.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { words } from "../words/words.ts";
import { CommitList } from "./commit-list.tsx";
import { useGitAct } from "./use-git-act.ts";

/** The current branch, how it compares with the repository, other branches, and the newest commits. */
export function Branches({ busy, onChanged }: { busy: boolean; onChanged: () => Promise<void> }) {
  const project = useProjectId();
  const select = useId();
  const [isNaming, setNaming] = useState(false);
  const [outcome, setOutcome] = useState("");
  const { act, doing, problem } = useGitAct<"switch" | "branch">();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: overviewKey(project),
    queryFn: () => readOverview(project),
    staleTime: 30_000,
    retry: false,
  });
  if (!data)
    return (
      <p role="status" className="text-small text-quiet">
        {error ? words.git.notCompared({ why: sentence(error) }) : words.git.comparing}
      </p>
    );
  const change = (what: "switch" | "branch", work: () => Promise<unknown>) =>
    act(what, async () => {
      setOutcome("");
      await saveEdits();
      try {
        await work();
      } finally {
        await onChanged();
      }
    });
  const isBusy = busy || doing !== undefined;
  return (
    <section aria-label={words.git.branches} className="space-y-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <label htmlFor={select} className="text-small text-quiet">
          {words.git.branch}
        </label>
        <Select
          id={select}
          value={data.branch}
          disabled={isBusy}
          options={data.branches.map(({ name, there }) => ({
            value: name,
            name: there ? visible(name) : words.git.onlyHere({ branch: visible(name) }),
          }))}
          onChoose={(branch) =>
            void change("switch", async () => {
              const files = await switchBranch(project, branch);
              setOutcome(words.git.switched({ branch: visible(branch), amount: files }));
            })
          }
          className="h-8 max-w-60 min-w-30 rounded border border-edge bg-paper px-2 pointer-coarse:h-11"
        />
        <span className="numbers text-small text-quiet">
          {words.git.sides({ ahead: data.ahead, behind: data.behind })}
        </span>
        <Button kind="quiet" disabled={isBusy || isFetching} onClick={() => void refetch()}>
          {words.git.compare}
        </Button>
        <Button kind="quiet" disabled={isBusy} onClick={() => setNaming(!isNaming)}>
          {words.git.newBranch}
        </Button>
      </div>
      {isNaming && (
        <NewBranch
          busy={isBusy}
          onName={(name) =>
            void change("branch", async () => {
              await createBranch(project, name);
              setNaming(false);
              setOutcome(words.git.branched({ branch: visible(name) }));
            })
          }
        />
      )}
      <p role="status" className="text-small text-quiet empty:hidden">
        {doing ? words.git.doing[doing] : outcome}
      </p>
      {problem && (
        <p role="alert" className="text-failed">
          {problem.text}
        </p>
      )}
      <CommitList overview={data} />
    </section>
  );
}

function NewBranch({ busy, onName }: { busy: boolean; onName: (name: string) => void }) {
  const [name, setName] = useState("");
  return (
    <form
      aria-label={words.git.newBranch}
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onName(name.trim());
      }}
    >
      <Field
        label={words.git.branchName}
        note={words.git.newBranchAbout}
        value={name}
        onText={setName}
        required
        autoFocus
      />
      <Button type="submit" size="medium" disabled={busy} className="mb-6">
        {words.git.makeBranch}
      </Button>
    </form>
  );
}
