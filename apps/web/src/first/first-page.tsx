import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { CreateProject } from "@treadle/protocol";
import { CornerDownLeft } from "lucide-react";
import { useEffect, useState } from "react";
import { chooseModel } from "../api/models.ts";
import { createProject, MESSAGE_LIMIT } from "../api/projects.ts";
import { MODELS_KEY, useModels, useRefreshModels } from "../api/queries.ts";
import { sentence } from "../api/request.ts";
import { LoopMark } from "../ui/loop-mark.tsx";
import { ModelChip } from "../models/model-chip.tsx";
import { DraftPictures } from "../pictures/draft-pictures.tsx";
import { PictureButton } from "../pictures/picture-button.tsx";
import { usePictures } from "../pictures/use-pictures.ts";
import { Settings } from "../settings/settings.tsx";
import { Button } from "../ui/button.tsx";
import { ImproveButton } from "../prompt/improve-button.tsx";
import { PlanSwitch } from "../prompt/plan-switch.tsx";
import { PromptField } from "../prompt/prompt-field.tsx";
import { useDraft } from "../ui/use-draft.ts";
import { Demos } from "./demos.tsx";
import { EXAMPLES } from "./examples.ts";
import { ProjectList } from "./project-list.tsx";

/** Where a sentence becomes a project. */
export function FirstPage() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { data: models } = useModels();
  const refreshModels = useRefreshModels();
  const [prompt, setPrompt] = useDraft("new");
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const [plan, setPlan] = useState(false);
  const pictures = usePictures("new", undefined, setProblem);
  const noModel = models !== undefined && models.chosen === undefined;

  useEffect(() => {
    document.title = "Treadle";
  }, []);

  const create = async (project: CreateProject) => {
    if (busy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const { id } = await createProject(project);
      if (project.demo === undefined) {
        setPrompt("");
        await pictures.clear();
      }
      await client.invalidateQueries({ queryKey: ["projects"] });
      await navigate({ to: "/p/$project", params: { project: id } });
    } catch (error) {
      setProblem(sentence(error));
    } finally {
      setBusy(false);
    }
  };

  const send = () => {
    const text = prompt.trim();
    if (text === "") return setProblem("Say what to build first, in a sentence or more.");
    if (text.length > MESSAGE_LIMIT || pictures.refused) return;
    if (noModel) {
      setProblem(
        "There is no model yet to build this. Add a provider's key or start a local model, or watch a recorded build below. Your text stays here.",
      );
      setChoosing(true);
      return;
    }
    void create({ prompt: text, ...pictures.sent(), mode: plan ? "plan" : undefined });
  };

  return (
    <div className="h-full overflow-y-auto">
      <header className="flex items-center gap-2 px-4 py-3">
        <LoopMark />
        <span className="text-large font-semibold">Treadle</span>
        <span className="ml-auto" />
        <Settings />
      </header>
      <main className="mx-auto max-w-170 px-4 pt-[9vh] pb-10">
        <h1 className="mb-4 text-display leading-tight font-semibold tracking-tight text-balance">
          What shall we build?
        </h1>
        <PromptField
          label="What shall we build?"
          placeholder="A todo app that remembers what I typed…"
          value={prompt}
          onChange={(text) => {
            setPrompt(text);
            setProblem(undefined);
          }}
          onSend={send}
          rows={3}
          autoFocus
          problem={pictures.refused ?? problem}
          side="below"
          onPictures={(chosen) => void pictures.add(chosen)}
          above={<DraftPictures pictures={pictures.pictures} onRemove={pictures.remove} />}
        >
          <ModelChip
            onChoose={async (model) => {
              await chooseModel(model);
              await refreshModels();
              setChoosing(false);
              setProblem(undefined);
            }}
            open={choosing}
            onOpenChange={(open) => {
              setChoosing(open);
              if (open) void client.invalidateQueries({ queryKey: MODELS_KEY });
            }}
          />
          <PictureButton onFiles={(chosen) => void pictures.add(chosen)} />
          {!noModel && <ImproveButton text={prompt} onText={setPrompt} onProblem={setProblem} />}
          <span className="ml-auto" />
          <PlanSwitch checked={plan} onChange={setPlan} />
          <Button
            kind="primary"
            size="medium"
            disabled={busy || prompt.length > MESSAGE_LIMIT}
            onClick={send}
          >
            {busy ? "Starting…" : "Build"}
            <CornerDownLeft size={16} aria-hidden="true" />
          </Button>
        </PromptField>
        <ul aria-label="Examples" className="mt-3 flex flex-wrap gap-x-1 gap-y-1 text-small">
          {EXAMPLES.map(({ label, prompt: example }) => (
            <li key={label}>
              <Button
                kind="quiet"
                onClick={() => {
                  setPrompt(example);
                  document.querySelector("textarea")?.focus();
                }}
              >
                {label}
              </Button>
            </li>
          ))}
        </ul>
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
