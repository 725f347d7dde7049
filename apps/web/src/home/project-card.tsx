import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ProjectSummary } from "@treadle/protocol";
import type { ProjectStatus } from "@treadle/protocol/fold";
import { useState } from "react";
import { noticeError } from "../ui/notice.ts";
import { changeProject } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import { VerdictMark } from "../evidence/verdict-mark.tsx";
import { ago } from "../ui/format.ts";
import { MoreButton } from "./more-button.tsx";
import { ProjectPicture } from "./project-picture.tsx";
import { RenameField } from "../ui/rename-field.tsx";
import { words } from "../words/words.ts";
import { useDeleteProject } from "../project/use-delete-project.ts";

function stateOf({ waits, working, verdict }: ProjectSummary): ProjectStatus {
  if (waits) return "waiting";
  return working ? "working" : (verdict ?? "new");
}

/** One project: what it looks like, its name, its verdict, and what can be done with it. */
export function ProjectCard({ project, now }: { project: ProjectSummary; now: number }) {
  const client = useQueryClient();
  const [renaming, setRenaming] = useState(false);
  const { remove } = useDeleteProject();
  const refresh = () => client.invalidateQueries({ queryKey: ["projects"] });
  const state = stateOf(project);

  const change = async (what: { name?: string; archived?: boolean }) => {
    setRenaming(false);
    try {
      await changeProject(project.id, what);
    } catch (error) {
      noticeError(sentence(error));
    }
    await refresh();
  };

  return (
    <li className="group relative min-w-0 overflow-hidden rounded border border-line bg-raised focus-within:border-edge hover:border-edge">
      <Link
        to="/p/$project"
        params={{ project: project.id }}
        aria-label={`${project.name} ${state === "new" ? "" : words.verdict[state]}`.trim()}
        className="block -outline-offset-2"
      >
        <ProjectPicture {...project} />
        <span className={`block px-3 pt-2 pb-2.5 ${renaming ? "invisible" : ""}`}>
          <span dir="auto" className="block truncate pr-7 font-medium">
            {project.name}
          </span>
          <span data-verdict={state} className="flex items-center gap-1.5 text-small text-quiet">
            {state !== "new" && <VerdictMark state={state} />}
            <span className="truncate">
              {state !== "new" && `${words.verdict[state]} · `}
              <span className="numbers">{ago(project.updatedAt, now)}</span>
            </span>
          </span>
        </span>
      </Link>
      {renaming && (
        <div className="absolute inset-x-2 bottom-4">
          <RenameField
            name={project.name}
            onDone={(name) => change({ name })}
            onCancel={() => setRenaming(false)}
          />
        </div>
      )}
      <span
        className={`absolute right-1.5 bottom-6 pointer-coarse:right-0 pointer-coarse:bottom-4 ${renaming ? "hidden" : ""}`}
      >
        <MoreButton
          project={project}
          onRename={() => setRenaming(true)}
          onArchive={() => void change({ archived: !project.archived })}
          onDelete={() => void remove(project)}
        />
      </span>
    </li>
  );
}
