import { useQuery } from "@tanstack/react-query";
import { visible } from "@treadle/protocol/safe-text";
import { sentence, getJson } from "../api/request.ts";
import { words } from "../words/words.ts";
import { PlainSection } from "./plain-section.tsx";
import type { SkillList } from "@treadle/protocol";

/** Reads the list of skills. @param project undefined for the skills of all projects */
const readSkills = (project: string | undefined, signal?: AbortSignal) =>
  getJson<SkillList>(
    project === undefined ? "/api/skills" : `/api/projects/${encodeURIComponent(project)}/skills`,
    signal,
  );

/** Skills that the model can read: the project's, the person's own, and Treadle's. */
export function SkillsSection({ project }: { project?: string }) {
  const { data, error } = useQuery({
    queryKey: ["skills", project ?? ""],
    queryFn: ({ signal }) => readSkills(project, signal),
    // The model, the person or another program may have changed the files.
    staleTime: 0,
  });
  return (
    <PlainSection
      id="skills"
      title={words.settingsPage.sections.skills}
      about={words.settingsPage.skillsAbout}
    >
      {error && (
        <p role="alert" className="text-small text-failed">
          {sentence(error)}
        </p>
      )}
      {data && (
        <ul aria-labelledby="settings-skills" className="rounded border border-line">
          {data.skills.map(({ name, description, from }) => (
            <li key={name} className="border-b border-line px-2 py-1.5 last:border-0">
              <span className="font-medium">{visible(name)}</span>{" "}
              <span className="text-small text-quiet">{words.settingsPage.skillFrom[from]}</span>
              <p className="text-small text-quiet">{visible(description)}</p>
            </li>
          ))}
        </ul>
      )}
    </PlainSection>
  );
}
