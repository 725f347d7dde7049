import { useQuery } from "@tanstack/react-query";
import { readFile } from "../api/files.ts";
import { useFileNames } from "../api/use-file-names.ts";
import { Markdown } from "../conversation/markdown.tsx";
import { useProjectId, useView } from "../live/live-context.tsx";

/** The project's README, rendered; draws nothing if the project has none. */
export function Readme() {
  const project = useProjectId();
  const path = useFileNames(project).find((name) => /^readme\.md$/i.test(name));
  const changed = useView((view) => path && view.changes.get(path)?.seq);
  const { data } = useQuery({
    queryKey: ["readme", project, path, changed],
    queryFn: async ({ signal }) => (await readFile(project, path!, signal)).text ?? "",
    enabled: path !== undefined,
  });
  if (!data) return null;
  return (
    <article
      aria-labelledby="readme"
      className="w-full max-w-170 rounded border border-line bg-raised px-4 py-3 text-left"
    >
      <h2 id="readme" className="text-small text-quiet">
        {path}
      </h2>
      <Markdown text={data} streaming={false} />
    </article>
  );
}
