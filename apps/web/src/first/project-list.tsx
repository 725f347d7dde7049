import { useQuery } from "@tanstack/react-query";
import { listProjects } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import { Button } from "../ui/button.tsx";
import { useNow } from "../ui/use-now.ts";
import { ProjectRow } from "./project-row.tsx";

/** What this person has built, the newest first. */
export function ProjectList() {
  const now = useNow(30_000);
  const { data, error, refetch } = useQuery({
    queryKey: ["projects"],
    queryFn: ({ signal }) => listProjects(signal),
    // Something that is being built changes its verdict while the list is looked at.
    refetchInterval: (query) => (query.state.data?.some((one) => one.working) ? 3000 : false),
  });
  if (error && !data)
    return (
      <p role="alert" className="mt-10 flex items-center gap-3 text-failed">
        {sentence(error)} <Button onClick={() => void refetch()}>Try again</Button>
      </p>
    );
  if (!data || data.length === 0) return null;
  const newest = data.toSorted((a, b) => b.updatedAt - a.updatedAt);
  return (
    <section aria-labelledby="yours" className="mt-10">
      <h2 id="yours" className="mb-1 flex items-center gap-3 text-small text-quiet">
        Yours <span className="h-px flex-1 bg-line" />
      </h2>
      <ul>
        {newest.map((project) => (
          <ProjectRow key={project.id} project={project} now={now} />
        ))}
      </ul>
    </section>
  );
}
