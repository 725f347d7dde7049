import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ProjectSummary } from "@treadle/protocol";
import type { ProjectStatus } from "@treadle/protocol/fold";
import { lazy, Suspense, useState } from "react";
import { noticeError } from "../ui/notice.ts";
import { changeProject, deleteProject } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import { VerdictMark } from "../evidence/verdict-mark.tsx";
import { ago } from "../ui/format.ts";
import { MoreButton } from "./more-button.tsx";
import { RenameField } from "../ui/rename-field.tsx";
import { words } from "../words/words.ts";

const Confirm = lazy(async () => ({ default: (await import("../ui/confirm.tsx")).Confirm }));

function stateOf({ waits, working, verdict }: ProjectSummary): ProjectStatus {
  if (waits) return "waiting";
  return working ? "working" : (verdict ?? "new");
}

/** One project: its name, its verdict, and what can be done with it. */
export function ProjectRow({ project, now }: { project: ProjectSummary; now: number }) {
  const client = useQueryClient();
  const [renaming, setRenaming] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const refresh = () => client.invalidateQueries({ queryKey: ["projects"] });
  const state = stateOf(project);

  const rename = async (name: string) => {
    setRenaming(false);
    try {
      await changeProject(project.id, { name });
    } catch (error) {
      noticeError(sentence(error));
    }
    await refresh();
  };

  return (
    <li className="group flex items-center gap-3 border-b border-line">
      {renaming ? (
        <div className="flex-1 py-1.5">
          <RenameField name={project.name} onDone={rename} onCancel={() => setRenaming(false)} />
        </div>
      ) : (
        <Link
          to="/p/$project"
          params={{ project: project.id }}
          className="flex min-w-0 flex-1 items-center gap-3 rounded py-2.5 hover:text-accent"
        >
          <span dir="auto" className="min-w-0 flex-1 truncate font-medium">
            {project.name}
          </span>
          <span
            data-verdict={state}
            className="flex shrink-0 items-center gap-1.5 text-small text-quiet"
          >
            {state !== "new" && <VerdictMark state={state} />}
            {state !== "new" && `${words.verdict[state]} · `}
            <span className="numbers">{ago(project.updatedAt, now)}</span>
          </span>
        </Link>
      )}
      <MoreButton
        project={project}
        onRename={() => setRenaming(true)}
        onDelete={() => setDeleting(true)}
      />
      {deleting && (
        <Suspense fallback={null}>
          <Confirm
            open
            onClose={() => setDeleting(false)}
            title={words.home.deleteProject(project.name)}
            action={words.home.delete}
            onConfirm={async () => {
              await deleteProject(project.id);
              await refresh();
            }}
          >
            {words.home.deleted}
          </Confirm>
        </Suspense>
      )}
    </li>
  );
}
