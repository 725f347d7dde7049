import { ArrowUp, Square } from "lucide-react";
import { useRef, useState, type RefObject } from "react";
import { changeProject, MESSAGE_LIMIT, sendMessage, stopRun } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { useFileNames } from "../api/use-file-names.ts";
import { DraftPictures } from "../pictures/draft-pictures.tsx";
import { PictureButton } from "../pictures/picture-button.tsx";
import { usePictures } from "../pictures/use-pictures.ts";
import { usePrompts } from "../mcp/use-prompts.tsx";
import { useWork } from "../project/work-store.ts";
import { ModelChip } from "../models/model-chip.tsx";
import { QueuedMessages } from "./queued-messages.tsx";
import { useProject, useRefreshProject } from "../project/use-project.ts";
import { Button } from "../ui/button.tsx";
import { ImproveButton } from "../prompt/improve-button.tsx";
import { PlanSwitch } from "../prompt/plan-switch.tsx";
import { PromptField } from "../prompt/prompt-field.tsx";
import { useDraft } from "../ui/use-draft.ts";
import { useNarrow } from "../ui/use-narrow.ts";
import { saveEdits } from "../project/unsaved.ts";

/** Where the person says what to change. While something is built, a message waits for its turn. */
export function Composer({
  field,
  onSent,
}: {
  field: RefObject<HTMLTextAreaElement | null>;
  onSent: () => void;
}) {
  const project = useProjectId();
  const { model, planModel } = useProject();
  const refresh = useRefreshProject();
  const narrow = useNarrow();
  const working = useView((view) => view.open !== undefined);
  const [text, setText] = useDraft(project);
  const typed = useRef(text);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const [plan, setPlan] = useState(false);

  const inForce = plan ? (planModel ?? model) : model;
  const files = useFileNames(project);
  const { path } = useWork();
  const pictures = usePictures(project, inForce, setProblem);
  const prompts = usePrompts(
    project,
    text,
    (message, chosen) => {
      typed.current = text.trim() === "" ? message : `${text.trimEnd()}\n\n${message}`;
      setText(typed.current);
      if (chosen.length > 0) void pictures.add(chosen);
      field.current?.focus();
    },
    () => field.current?.focus(),
  );
  const choose = async (change: { model?: string; planModel?: string | null }) => {
    await changeProject(project, change);
    await refresh();
  };
  const send = async () => {
    const message = text.trim();
    if (message === "" || busy || text.length > MESSAGE_LIMIT || pictures.refused) return;
    setBusy(true);
    setProblem(undefined);
    typed.current = text;
    try {
      await saveEdits();
      await sendMessage(project, {
        text: message,
        open: path === undefined ? [] : [path],
        ...pictures.sent(),
        mode: plan ? "plan" : undefined,
      });
      setPlan(false);
      // What was typed while it was on its way is not sent yet.
      if (typed.current === text) setText("");
      void pictures.clear();
      onSent();
    } catch (error) {
      setProblem(sentence(error));
    } finally {
      setBusy(false);
    }
  };
  const stop = async () => {
    try {
      await stopRun(project);
    } catch (error) {
      setProblem(sentence(error));
    }
  };

  return (
    <div className="mx-auto w-full max-w-190 shrink-0 px-3 pb-3">
      <QueuedMessages
        onTakenBack={(taken) => {
          setText(text.trim() === "" ? taken : `${text}\n\n${taken}`);
          field.current?.focus();
        }}
      />
      <PromptField
        field={field}
        label="Say what to change"
        placeholder="Say what to change…"
        value={text}
        onChange={(next) => {
          typed.current = next;
          setText(next);
          setProblem(undefined);
        }}
        onSend={() => void send()}
        rows={narrow ? 1 : 2}
        autoFocus={!narrow}
        problem={pictures.refused ?? problem}
        files={files}
        offered={prompts.offered}
        onPrompt={prompts.choose}
        onPictures={(chosen) => void pictures.add(chosen)}
        above={
          <>
            {prompts.form}
            <DraftPictures pictures={pictures.pictures} onRemove={pictures.remove} />
          </>
        }
      >
        <ModelChip
          model={inForce}
          open={choosing}
          onOpenChange={setChoosing}
          onChoose={(next) => choose(plan ? { planModel: next } : { model: next })}
          only={
            plan
              ? {
                  what: "for planning",
                  onSame: planModel === undefined ? undefined : () => choose({ planModel: null }),
                }
              : undefined
          }
        />
        <PictureButton onFiles={(chosen) => void pictures.add(chosen)} />
        {!(narrow && working) && (
          <ImproveButton
            text={text}
            model={inForce}
            short={working}
            onText={setText}
            onProblem={setProblem}
          />
        )}
        <span className="flex-1" />
        {/* On a narrow page there is no room for it beside Stop. */}
        {!(narrow && working) && <PlanSwitch checked={plan} onChange={setPlan} />}
        {working && (
          <Button onClick={() => void stop()}>
            <Square size={14} aria-hidden="true" fill="currentColor" /> Stop
          </Button>
        )}
        <Button
          kind="primary"
          className="pointer-coarse:min-w-11"
          disabled={busy || text.trim() === "" || text.length > MESSAGE_LIMIT}
          onClick={(event) => {
            // By the keyboard: with nothing to send any more the button cannot keep the focus.
            if (event.detail === 0) field.current?.focus();
            void send();
          }}
        >
          <ArrowUp size={16} aria-hidden="true" />
          {/* One row on a phone. */}
          <span className="max-wide:sr-only">{working ? "Queue" : "Send"}</span>
        </Button>
      </PromptField>
    </div>
  );
}
