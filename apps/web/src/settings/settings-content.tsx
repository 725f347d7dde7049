import type { ProjectSettings } from "@treadle/protocol";
import type { ReactNode } from "react";
import { sentence } from "../api/request.ts";
import { PlainKeysChoice } from "../commands/plain-keys-choice.tsx";
import { ShortcutList } from "../commands/shortcut-list.tsx";
import { McpSection } from "../mcp/mcp-section.tsx";
import type { SettingsSection } from "../project/settings-place.ts";
import { words } from "../words/words.ts";
import { AboutSection } from "./about-section.tsx";
import { AllowedHostsSection } from "./allowed-hosts-section.tsx";
import { ApprovalsSection } from "./approvals-section.tsx";
import { BudgetSection } from "./budget-section.tsx";
import { CompletionsChoice, CompletionsCost } from "./completions-choice.tsx";
import { LanguageChoice } from "./language-choice.tsx";
import { ModelOfNewProjects, ModelOfProject } from "./models-section.tsx";
import { NoticesChoice } from "./notices-choice.tsx";
import { NotificationChannels } from "./notification-channels.tsx";
import { OwnRulesSection } from "./own-rules-section.tsx";
import { RulesSection } from "./rules-section.tsx";
import { SecretsSection } from "./secrets-section.tsx";
import { PlainSection } from "./plain-section.tsx";
import { SkillsSection } from "./skills-section.tsx";
import { ThemeChoice } from "./theme-choice.tsx";
import { VerdictsSection } from "./verdicts-section.tsx";
import { useProjectSettings } from "./use-project-settings.ts";

/** The sections of the settings, one below the other. */
export function SettingsContent({
  shown,
  project,
}: {
  shown: readonly SettingsSection[];
  project: string | undefined;
}) {
  return shown.map((id) => (
    <div key={id} data-section={id} className="border-b border-line py-6 last-of-type:min-h-full">
      {project === undefined ? sectionContent(id) : ofProject(id, project)}
    </div>
  ));
}

function sectionContent(id: SettingsSection): ReactNode {
  switch (id) {
    case "models":
      return (
        <>
          <ModelOfNewProjects />
          <CompletionsChoice />
        </>
      );
    case "rules":
      return <OwnRulesSection />;
    case "skills":
      return <SkillsSection />;
    case "tools":
      return <McpSection />;
    case "appearance":
      return (
        <PlainSection id="appearance" title={words.settingsPage.sections.appearance}>
          <ThemeChoice />
        </PlainSection>
      );
    case "notices":
      return (
        <PlainSection id="notices" title={words.settingsPage.sections.notices}>
          <NoticesChoice />
          <NotificationChannels />
        </PlainSection>
      );
    case "language":
      return (
        <PlainSection
          id="language"
          title={words.settingsPage.sections.language}
          about={words.settingsPage.languageAbout}
        >
          <LanguageChoice />
        </PlainSection>
      );
    case "shortcuts":
      return (
        <PlainSection id="shortcuts" title={words.settingsPage.sections.shortcuts}>
          <PlainKeysChoice />
          <div className="mt-4">
            <ShortcutList />
          </div>
        </PlainSection>
      );
    case "about":
      return <AboutSection />;
    default:
      return null;
  }
}

function ofProject(id: SettingsSection, project: string): ReactNode {
  switch (id) {
    case "models":
      return (
        <>
          <ModelOfProject />
          <CompletionsChoice />
          <CompletionsCost />
        </>
      );
    case "rules":
      return (
        <div className="space-y-6">
          <RulesSection project={project} />
          <OwnRulesSection />
        </div>
      );
    case "skills":
      return <SkillsSection project={project} />;
    case "tools":
      return <McpSection project={project} />;
    case "approvals":
      return (
        <>
          <ApprovalsSection project={project} />
          <ProjectSection part="verdicts" project={project} />
        </>
      );
    case "hosts":
    case "secrets":
    case "budget":
      return <ProjectSection part={id} project={project} />;
    default:
      return sectionContent(id);
  }
}

const PROJECT_SECTIONS = {
  hosts: AllowedHostsSection,
  secrets: SecretsSection,
  budget: BudgetSection,
  verdicts: VerdictsSection,
};

/** A section stored in the project's record. */
function ProjectSection({
  part,
  project,
}: {
  part: keyof typeof PROJECT_SECTIONS;
  project: string;
}) {
  const { settings, error, show } = useProjectSettings(project);
  const Part: (props: {
    project: string;
    settings: ProjectSettings;
    onChanged: (settings: ProjectSettings) => void;
  }) => ReactNode = PROJECT_SECTIONS[part];
  if (error)
    return (
      <p role="alert" className="text-failed">
        {sentence(error)}
      </p>
    );
  if (!settings) return <p className="text-quiet">{words.projectSettings.reading}</p>;
  return <Part project={project} settings={settings} onChanged={show} />;
}
