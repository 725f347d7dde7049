import { useQuery } from "@tanstack/react-query";
import type { ProjectSummary } from "@treadle/protocol";
import { listProjects } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import { Button } from "../ui/button.tsx";
import { Suspense, useState } from "react";
import { useNow } from "../ui/use-now.ts";
import { DeletedProjects } from "./deleted-projects.tsx";
import { ProjectCard } from "./project-card.tsx";
import { words, withWords } from "../words/words.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

// Loaded lazily, because few people search messages and files.
const { Part: FoundList } = lazyPart(() => withWords(import("../palette/found-list.tsx")));

const { Part: ComparisonList } = lazyPart(() => withWords(import("./comparison-list.tsx")));

/** With up to this many projects, no search is shown. */
const MAX_WITHOUT_SEARCH = 6;
const WORKING_MS = 3_000;
/** Polling interval while a project waits for an answer, which is given on another page or after a click here. */
const WAITING_POLL_MS = 30_000;

function pollAfter(projects: readonly ProjectSummary[]): number | false {
  if (projects.some(({ working, waits }) => working && !waits)) return WORKING_MS;
  return projects.some(({ waits }) => waits) && WAITING_POLL_MS;
}

/**
 * The person's projects, the most recently changed first, and those deleted recently. Draws nothing if there are none.
 */
export function ProjectList() {
  const now = useNow(30_000);
  const [searchText, setSearchText] = useState("");
  const [showArchived, setShowArchived] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ["projects"],
    queryFn: ({ signal }) => listProjects(signal),
    // A project being built changes its verdict while the list is open.
    refetchInterval: ({ state }) => pollAfter(state.data?.projects ?? []),
  });
  if (error && !data)
    return (
      <p role="alert" className="mt-10 flex items-center gap-3 text-failed">
        {sentence(error)} <Button onClick={() => void refetch()}>{words.home.tryAgain}</Button>
      </p>
    );
  if (!data || data.projects.length + data.deleted.length === 0) return null;
  // Attempts are shown side by side on their own page until one is kept.
  const own = data.projects.filter(({ comparison }) => comparison === undefined);
  const newest = own.toSorted((a, b) => b.updatedAt - a.updatedAt);
  const archived = newest.filter((project) => project.archived).length;
  const query = searchText.trim().toLocaleLowerCase();
  // A search by name includes archived projects.
  const shown = newest.filter(
    (project) => showArchived || query !== "" || project.archived === undefined,
  );
  const found = shown.filter(({ name }) => name.toLocaleLowerCase().includes(query));
  return (
    <section aria-labelledby="yours" className="mt-10">
      <h2 id="yours" className="mb-1 flex items-center gap-3 text-small text-quiet">
        {words.home.yours} <span className="h-px flex-1 bg-line" />
      </h2>
      {own.length < data.projects.length && (
        <Suspense fallback={null}>
          <ComparisonList />
        </Suspense>
      )}
      {newest.length > MAX_WITHOUT_SEARCH && (
        <input
          type="search"
          aria-label={words.home.find}
          placeholder={words.home.findHint}
          value={searchText}
          onChange={({ target }) => setSearchText(target.value)}
          className="my-2 h-8 w-full rounded border border-edge bg-raised px-2"
        />
      )}
      {found.length === 0 && query !== "" && (
        <p className="py-3 text-quiet">{words.home.noneFound}</p>
      )}
      <ul className="mt-3 grid gap-x-3.5 gap-y-5 wide:grid-cols-3">
        {found.map((project) => (
          <ProjectCard key={project.id} project={project} now={now} />
        ))}
      </ul>
      {query !== "" && (
        <Suspense fallback={null}>
          <FoundList text={searchText} />
        </Suspense>
      )}
      {archived > 0 && query === "" && (
        <Button
          kind="quiet"
          className="mt-3"
          aria-expanded={showArchived}
          onClick={() => setShowArchived(!showArchived)}
        >
          {showArchived ? words.home.hideArchived : words.home.showArchived({ count: archived })}
        </Button>
      )}
      <DeletedProjects deleted={data.deleted} now={now} />
    </section>
  );
}
