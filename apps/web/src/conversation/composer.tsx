import { isRunning } from "@treadle/protocol/fold";
import type { RunMode } from "@treadle/protocol";
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from "react";
import { changeProject, MAX_MESSAGE_CHARS, sendMessage, stopRun } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { useFileNames } from "../api/use-file-names.ts";
import { AttachButton } from "../attachments/attach-button.tsx";
import { AttachmentList } from "../attachments/attachment-list.tsx";
import { withNames } from "../attachments/added-files.ts";
import { useAttachments } from "../attachments/use-attachments.ts";
import { usePageDrop } from "../attachments/use-page-drop.ts";
import { usePrompts } from "../mcp/use-prompts.tsx";
import { useInsertedFiles } from "../project/inserted-files-store.ts";
import { insertText } from "../project/inserted-text-store.ts";
import { useWork } from "../project/work-store.ts";
import { ModelChip } from "../models/model-chip.tsx";
import { useCompare } from "../models/use-compare.tsx";
import { AnswerControls, ParallelButton, SendButton, StopButton } from "./composer-controls.tsx";
import { QuestionCard } from "./question-card.tsx";
import { ParallelRequests } from "./parallel-requests.tsx";
import { QueuedMessages } from "./queued-messages.tsx";
import { useProject, useRefreshProject } from "../project/use-project.ts";
import { ImproveButton } from "../prompt/improve-button.tsx";
import { ModeSwitches } from "../prompt/mode-switches.tsx";
import { PromptField } from "../prompt/prompt-field.tsx";
import { VoiceButton } from "../prompt/voice-button.tsx";
import { useCaretOverLayouts } from "../ui/use-caret-over-layouts.ts";
import { useNarrow } from "../ui/use-narrow.ts";
import { typedMode } from "./commands.ts";
import { fieldWords, useAnswer } from "./use-answer.ts";
import { useCommands } from "./use-commands.ts";
import { useParallel } from "./use-parallel.ts";
import { useProblem } from "./use-problem.ts";
import { useMessageText } from "./use-message-text.ts";
import { useComposerCommands } from "./use-composer-commands.ts";
import { QUESTION, type FocusRests } from "../ui/use-handed-focus.ts";
import { saveEdits } from "../project/unsaved.ts";
import { words } from "../words/words.ts";

/**
 * The message field. While a run is active, a message is queued; while a question is open, the text is the answer.
 * @param rests whether a question may take the focus from an earlier question that nobody has used since
 */
export function Composer({
  field,
  rests,
  onSent,
}: {
  field: RefObject<HTMLTextAreaElement | null>;
  rests: FocusRests;
  onSent: () => void;
}) {
  const project = useProjectId();
  const { model, planModel } = useProject();
  const refresh = useRefreshProject();
  const narrow = useNarrow();
  useCaretOverLayouts(field);
  const working = useView(isRunning);
  const { text, change, appendSpeech, sent } = useMessageText(project, field);
  const [problem, setProblem] = useProblem(project, text);
  const [busy, setBusy] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const [mode, setMode] = useState<RunMode>("act");
  const plan = mode === "plan";

  const inForce = plan ? (planModel ?? model) : model;
  const files = useFileNames(project);
  const path = useWork((state) => state.path);
  const attachments = useAttachments(project, inForce);
  const isDragOver = usePageDrop(
    (added) => {
      void attachments.add(added);
      field.current?.focus();
    },
    (error) => setProblem(sentence(error)),
  );
  const prompts = usePrompts(
    project,
    text,
    (message, chosen) => {
      insertText(message);
      if (chosen.length > 0) void attachments.add(withNames(chosen));
    },
    () => field.current?.focus(),
  );
  const compare = useCompare({
    text,
    model: inForce,
    async place() {
      await saveEdits();
      const placed = await attachments.place(project, text.trim());
      return { project, text: placed.text, ...attachments.sent() };
    },
    onEmpty: () => setProblem(words.compare.sayFirst),
    onSent() {
      sent(text);
      void attachments.clear();
    },
  });
  const isSendable = text.trim() !== "" && text.length <= MAX_MESSAGE_CHARS;
  const parallel = useParallel({
    project,
    isOffered: working && isSendable && !attachments.refused,
    async request() {
      // Attached files are written to the project first; the copy in which the request runs gets them from there.
      const placed = await attachments.place(project, text.trim());
      return { text: placed.text, files: [...placed.paths], model, ...attachments.sent() };
    },
    onProblem: setProblem,
    onSent() {
      sent(text);
      void attachments.clear();
    },
  });
  const { offered, choose: choosePrompt } = useCommands(prompts, setMode);
  const attachFiles = useEffectEvent((added: readonly File[]) => {
    void attachments.add(withNames(added));
    field.current?.focus();
  });
  useEffect(() => useInsertedFiles.subscribe(({ files: added }) => attachFiles(added)), []);
  const choose = async (change: { model?: string; planModel?: string | null }) => {
    await changeProject(project, change);
    await refresh();
  };
  const send = async () => {
    const { mode: sentMode, text: message } = typedMode(text.trim()) ?? { mode, text: text.trim() };
    if (message === "" || busy || text.length > MAX_MESSAGE_CHARS || attachments.refused) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await saveEdits();
      await sendMessage(project, {
        text: (await attachments.place(project, message)).text,
        open: path === undefined ? [] : [path],
        ...attachments.sent(),
        mode: sentMode === "act" ? undefined : sentMode,
      });
      setMode("act");
      sent(text);
      void attachments.clear();
      onSent();
    } catch (error) {
      setProblem(sentence(error));
    } finally {
      setBusy(false);
    }
  };
  const answering = useAnswer(text, sent);
  const asked = answering?.question;
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (asked && rests()) card.current?.focus({ preventScroll: true });
  }, [asked, rests]);
  const stop = async () => {
    try {
      await stopRun(project);
    } catch (error) {
      setProblem(sentence(error));
    }
  };
  const onModel = answering ? undefined : () => setChoosing(true);
  useComposerCommands({ field, mode, working, onMode: setMode, onModel, onStop: stop });

  return (
    <div className="mx-auto w-full max-w-190 shrink-0 px-3 pb-3">
      {compare.dialog}
      <ParallelRequests />
      <QueuedMessages onWithdrawn={insertText} />
      <section
        ref={card}
        {...(asked && { id: QUESTION, tabIndex: -1, "aria-label": words.conversation.question })}
        className="group outline-none"
      >
        <PromptField
          field={field}
          {...fieldWords(asked)}
          value={text}
          onChange={change}
          onSend={() => (answering ? answering.submit(true) : void send())}
          rows={narrow || asked ? 1 : 2}
          autoFocus={!narrow}
          problem={answering?.problem ?? attachments.refused ?? problem}
          note={answering?.note}
          {...(!asked && { files, offered, onPrompt: choosePrompt })}
          onFiles={(chosen) => void attachments.add(withNames(chosen))}
          above={
            <>
              {answering && (
                <QuestionCard
                  key={answering.question.id}
                  question={answering.question}
                  busy={answering.busy}
                  onAnswer={answering.answer}
                />
              )}
              {prompts.form}
              <AttachmentList attachments={attachments} isDragOver={isDragOver} />
            </>
          }
        >
          {answering ? (
            <AnswerControls
              answering={answering}
              empty={text.trim() === ""}
              busy={busy}
              onQueue={() => void send()}
              onStop={() => void stop()}
            />
          ) : (
            <>
              <ModelChip
                model={inForce}
                open={choosing}
                onOpenChange={setChoosing}
                onCompare={working ? undefined : compare.open}
                onChoose={(next) => choose(plan ? { planModel: next } : { model: next })}
                planning={
                  plan
                    ? {
                        onSame:
                          planModel === undefined ? undefined : () => choose({ planModel: null }),
                      }
                    : undefined
                }
              />
              <AttachButton onFiles={(added) => void attachments.add(added)} />
              {!(narrow && working) && (
                <ImproveButton text={text} model={inForce} onText={change} onProblem={setProblem} />
              )}
              <span className="flex-1" />
              {/* Beside Stop there is room for the mode switches only; on a narrow page not even for them. */}
              {!working && <VoiceButton onWords={appendSpeech} onProblem={setProblem} />}
              {!(narrow && working) && <ModeSwitches mode={mode} onMode={setMode} />}
              {working && <StopButton onStop={() => void stop()} />}
              <ParallelButton onStart={parallel} />
              <SendButton
                name={working ? words.conversation.queue : words.conversation.send}
                disabled={busy || !isSendable}
                onSend={() => void send()}
                field={field}
              />
            </>
          )}
        </PromptField>
      </section>
    </div>
  );
}
