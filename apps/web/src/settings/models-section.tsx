import { chooseModel } from "../api/models.ts";
import { changeProject } from "../api/projects.ts";
import { useModels, useRefreshModels } from "../api/queries.ts";
import { useProjectId } from "../live/live-context.tsx";
import ModelMenu from "../models/model-menu.tsx";
import { useProject, useRefreshProject } from "../project/use-project.ts";
import { words } from "../words/words.ts";
import { PlainSection } from "./plain-section.tsx";

/** The choice of the default model of new projects. */
export function ModelOfNewProjects() {
  const { data: models } = useModels();
  const refresh = useRefreshModels();
  return (
    <Choice
      about={words.settingsPage.modelOfNew}
      chosen={models?.chosen}
      onChoose={async (model) => {
        await chooseModel(model);
        await refresh();
      }}
    />
  );
}

/** The choice of this project's model. */
export function ModelOfProject() {
  const project = useProjectId();
  const { data: models } = useModels();
  const { model = models?.chosen } = useProject();
  const refresh = useRefreshProject();
  return (
    <Choice
      about={words.settingsPage.modelOfProject}
      chosen={model}
      onChoose={async (next) => {
        await changeProject(project, { model: next });
        await refresh();
      }}
    />
  );
}

function Choice({
  about,
  ...rest
}: {
  about: string;
  chosen: string | undefined;
  onChoose: (model: string) => Promise<void>;
}) {
  return (
    <PlainSection id="models" title={words.settingsPage.sections.models} about={about}>
      <div className="rounded border border-line">
        <ModelMenu {...rest} />
      </div>
    </PlainSection>
  );
}
