import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { CreateProject } from "@treadle/protocol";
import { useEffect, useRef, useState } from "react";
import { CornerDownLeft } from "../ui/icons.ts";
import { chooseModel } from "../api/models.ts";
import { createProject, deleteProject, MAX_MESSAGE_CHARS, sendMessage } from "../api/projects.ts";
import { MODELS_KEY, useModels, useRefreshModels } from "../api/queries.ts";
import { sentence } from "../api/request.ts";
import { ModelChip } from "../models/model-chip.tsx";
import { useCompare } from "../models/use-compare.tsx";
import { AttachButton } from "../attachments/attach-button.tsx";
import { AttachmentList } from "../attachments/attachment-list.tsx";
import { withNames } from "../attachments/added-files.ts";
import { useAttachments, type Attachments } from "../attachments/use-attachments.ts";
import { usePageDrop } from "../attachments/use-page-drop.ts";
import { SettingsPlace } from "../settings/settings-place.tsx";
import { Button } from "../ui/button.tsx";
import { useCommand } from "../commands/available.ts";
import { ImproveButton } from "../prompt/improve-button.tsx";
import { PlanSwitch } from "../prompt/plan-switch.tsx";
import { VoiceButton } from "../prompt/voice-button.tsx";
import { PromptField } from "../prompt/prompt-field.tsx";
import { replaceFieldText } from "../ui/replace-field-text.ts";
import { draftText, useDraft } from "../ui/use-draft.ts";
import { Demos } from "./demos.tsx";
import { HomeHeader } from "./home-header.tsx";
import { OpenExisting } from "./open-existing.tsx";
import { ProjectList } from "./project-list.tsx";
import { words } from "../words/words.ts";

/** Example prompts, complete enough to be sent unchanged. */
const examples = (): { label: string; prompt: string }[] => Object.values(words.home.example);

/** Creates a project with its first message, after uploading the message's files. Creates nothing if a file fails. */
async function createProjectWithFiles(
  project: CreateProject,
  attachments: Attachments,
): Promise<{ id: string }> {
  const { prompt, mode, pictures, demo } = project;
  if (attachments.files.length === 0 || demo !== undefined || prompt === undefined)
    return createProject(project);
  const { id } = await createProject({});
  try {
    const { text } = await attachments.place(id, prompt);
    await sendMessage(id, { text, mode, pictures });
    return { id };
  } catch (error) {
    attachments.unplace();
    await deleteProject(id).catch(() => undefined);
    throw error;
  }
}

/** Prepares the files for several attempts, in a project of which each attempt is a copy. */
async function placeForAll(prompt: string, attachments: Attachments) {
  const { pictures } = attachments.sent();
  const sent = pictures ? { pictures } : {};
  if (attachments.files.length === 0) return { text: prompt, ...sent };
  const { id } = await createProject({});
  try {
    const { text } = await attachments.place(id, prompt);
    return { project: id, text, ...sent };
  } catch (error) {
    attachments.unplace();
    await deleteProject(id).catch(() => undefined);
    throw error;
  }
}

/** The page where a prompt becomes a project. */
export function HomePage() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { data: models } = useModels();
  const refreshModels = useRefreshModels();
  const [prompt, setPrompt] = useDraft("new");
  const field = useRef<HTMLTextAreaElement>(null);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const [plan, setPlan] = useState(false);
  const attachments = useAttachments("new", undefined);
  const isDragOver = usePageDrop(
    (added) => void attachments.add(added),
    (error) => setProblem(sentence(error)),
  );
  const noModel = models !== undefined && models.chosen === undefined;
  // The hint to set up a model disappears once there is one.
  const shownProblem = problem === words.home.noModel && !noModel ? undefined : problem;

  useEffect(() => {
    document.title = "Treadle";
  }, []);

  const create = async (project: CreateProject) => {
    if (busy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const { id } = await createProjectWithFiles(project, attachments);
      if (project.demo === undefined) {
        setPrompt("");
        await attachments.clear();
      }
      await client.invalidateQueries({ queryKey: ["projects"] });
      await navigate({ to: "/p/$project", params: { project: id } });
    } catch (error) {
      setProblem(sentence(error));
    } finally {
      setBusy(false);
    }
  };

  const compare = useCompare({
    text: prompt,
    place: () => placeForAll(prompt.trim(), attachments),
    onEmpty: () => setProblem(words.home.sayFirst),
    onSent() {
      setPrompt("");
      void attachments.clear();
    },
  });

  useCommand("say", () => field.current?.focus());
  useCommand("model", () => setChoosing(true));
  useCommand("plan", () => setPlan(!plan));

  const send = () => {
    const text = prompt.trim();
    if (text === "") return setProblem(words.home.sayFirst);
    if (text.length > MAX_MESSAGE_CHARS || attachments.refused) return;
    if (noModel) {
      setProblem(words.home.noModel);
      setChoosing(true);
      return;
    }
    void create({ prompt: text, ...attachments.sent(), mode: plan ? "plan" : undefined });
  };

  return (
    <div className="h-full overflow-y-auto">
      <SettingsPlace />
      {compare.dialog}
      <HomeHeader />
      <main id="main" tabIndex={-1} className="mx-auto max-w-193 px-4 pt-[9vh] pb-10 outline-none">
        <h1 className="mb-4 text-display leading-tight font-semibold tracking-tight text-balance">
          {words.home.heading}
        </h1>
        <PromptField
          field={field}
          label={words.home.heading}
          placeholder={words.home.placeholder}
          value={prompt}
          onChange={(text) => {
            setPrompt(text);
            setProblem(undefined);
          }}
          onSend={send}
          rows={3}
          autoFocus
          problem={attachments.refused ?? shownProblem}
          side="below"
          onFiles={(chosen) => void attachments.add(withNames(chosen))}
          above={<AttachmentList attachments={attachments} isDragOver={isDragOver} />}
        >
          <ModelChip
            onChoose={async (model) => {
              await chooseModel(model);
              await refreshModels();
              setChoosing(false);
              setProblem(undefined);
            }}
            onCompare={compare.open}
            open={choosing}
            onOpenChange={(open) => {
              setChoosing(open);
              if (open) void client.invalidateQueries({ queryKey: MODELS_KEY });
            }}
          />
          <AttachButton onFiles={(added) => void attachments.add(added)} />
          {!noModel && <ImproveButton text={prompt} onText={setPrompt} onProblem={setProblem} />}
          <span className="ml-auto" />
          <VoiceButton
            onWords={(speech) =>
              setPrompt([draftText("new").trimEnd(), speech].filter(Boolean).join(" "))
            }
            onProblem={setProblem}
          />
          <PlanSwitch checked={plan} onChange={setPlan} />
          <Button
            kind="primary"
            size="medium"
            disabled={busy || prompt.length > MAX_MESSAGE_CHARS}
            onClick={send}
          >
            {busy ? words.home.starting : words.home.build}
            <CornerDownLeft size={16} aria-hidden="true" />
          </Button>
        </PromptField>
        <OpenExisting>
          <ul aria-label={words.home.examples} className="contents">
            {examples().map(({ label, prompt: example }) => (
              <li key={label}>
                <button
                  type="button"
                  className="h-7 rounded-full border border-line px-3 whitespace-nowrap text-quiet hover:border-edge hover:text-ink pointer-coarse:h-11"
                  onClick={() => {
                    if (field.current) replaceFieldText(field.current, example);
                  }}
                >
                  {label}
                </button>
              </li>
            ))}
          </ul>
        </OpenExisting>
        {models && models.demos.length > 0 && (
          <Demos
            demos={models.demos}
            alone={noModel}
            busy={busy}
            onPlay={(demo) => void create({ demo: demo.id, prompt: demo.prompt })}
          />
        )}
        <ProjectList />
      </main>
    </div>
  );
}
