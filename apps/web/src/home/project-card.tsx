import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ProjectSummary } from "@treadle/protocol";
import { summaryStatus, type ProjectStatus } from "@treadle/protocol/fold";
import { useState } from "react";
import { noticeError } from "../ui/notice.ts";
import { changeProject } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import { VERDICT_COLOUR, VerdictMark } from "../evidence/verdict-mark.tsx";
import { formatAgo, formatMoney } from "../ui/format.ts";
import { MoreButton } from "./more-button.tsx";
import { ProjectPicture } from "./project-picture.tsx";
import { RenameField } from "../ui/rename-field.tsx";
import { words } from "../words/words.ts";
import { useDeleteProject } from "../project/use-delete-project.ts";

/** States in which a published project is shown as live first. */
const LIVE_FIRST: ReadonlySet<ProjectStatus> = new Set(["verified", "runs"]);

/** One project: its picture, name and verdict, with facts and actions below. */
export function ProjectCard({ project, now }: { project: ProjectSummary; now: number }) {
  const client = useQueryClient();
  const [renaming, setRenaming] = useState(false);
  const { remove } = useDeleteProject();
  const refresh = () => client.invalidateQueries({ queryKey: ["projects"] });
  const state = summaryStatus(project);
  const isLive = project.live !== undefined && LIVE_FIRST.has(state);
  const status = isLive ? words.home.live : state === "new" ? "" : words.verdict[state];

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
    <li className="group relative grid min-w-0 grid-cols-[6rem_1fr] gap-x-3 wide:block">
      <ProjectPicture {...project} />
      <div className="min-w-0 self-center">
        {renaming ? (
          <RenameField
            name={project.name}
            onDone={(name) => change({ name })}
            onCancel={() => setRenaming(false)}
          />
        ) : (
          <Link
            to="/p/$project"
            params={{ project: project.id }}
            className="flex items-center gap-2 text-small outline-none after:absolute after:inset-0 after:rounded focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-accent"
          >
            <span dir="auto" className="min-w-0 flex-1 truncate font-semibold">
              {project.name}
            </span>{" "}
            <span
              data-verdict={state}
              className={`flex shrink-0 items-center gap-1 ${isLive ? "text-verified" : VERDICT_COLOUR[state]}`}
            >
              {isLive ? (
                <span aria-hidden="true" className="size-2 rounded-full bg-verified" />
              ) : (
                state !== "new" && <VerdictMark state={state} />
              )}
              {status}
            </span>
          </Link>
        )}
        <div className="flex items-center gap-2 text-small text-quiet">
          <Facts project={project} now={now} />
          <span className="relative z-1 -mr-1.5 ml-auto">
            <MoreButton
              project={project}
              onRename={() => setRenaming(true)}
              onArchive={() => void change({ archived: !project.archived })}
              onDelete={() => void remove(project)}
            />
          </span>
        </div>
      </div>
    </li>
  );
}

/** The published address, or else the last change, the turns and the cost. */
function Facts({ project, now }: { project: ProjectSummary; now: number }) {
  const { live, turns = 0, costUsd, updatedAt } = project;
  if (live)
    return (
      <a
        href={live.address}
        target="_blank"
        rel="noreferrer"
        className="relative z-1 min-w-0 truncate rounded hover:text-ink hover:underline"
      >
        {words.home.releaseAt({ host: new URL(live.address).host, release: live.release })}
      </a>
    );
  const facts = [
    formatAgo(updatedAt, now),
    ...(turns > 0 ? [words.home.turns({ count: turns })] : []),
    ...(costUsd === undefined ? [] : [formatMoney(costUsd)]),
  ];
  return <span className="numbers min-w-0 truncate">{facts.join(" · ")}</span>;
}
