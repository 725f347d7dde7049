import { useCallback, useEffect, useState, type RefObject } from "react";
import { checkAgain } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import { useFrameMessages } from "../live/use-frame-messages.ts";
import { useProjectId } from "../live/live-context.tsx";
import { saveEdits } from "../project/unsaved.ts";
import { appendCheck } from "../checks/append-check.ts";
import { readRecordMessage } from "./recorded.ts";
import { addRecorded, addWords, type RecordedStep } from "./recorded-steps.ts";
import { words } from "../words/words.ts";

export type Recording = ReturnType<typeof useRecording>;
export type Recorder = ReturnType<typeof useRecorder>;

/** `recording`: the person's actions are added. `saved`: the check is stored under that name and is run. */
type Phase = { is: "off" | "recording" | "saving" } | { is: "saved"; name: string };

/** A recording's state. It outlives the frame, because the app's server may restart meanwhile. */
export function useRecording() {
  const [phase, setPhase] = useState<Phase>({ is: "off" });
  const [steps, setSteps] = useState<RecordedStep[]>([]);
  const [problem, setProblem] = useState<string>();
  return { phase, setPhase, steps, setSteps, problem, setProblem };
}

/** Records the person's actions in the previewed page as a check of the project. */
export function useRecorder(
  { phase, setPhase, steps, setSteps, problem, setProblem }: Recording,
  frame: RefObject<HTMLIFrameElement | null>,
  origin: string,
) {
  const project = useProjectId();
  const [expecting, setExpecting] = useState(false);
  const isRecording = phase.is === "recording";

  const send = useCallback(
    (type: "record" | "expect", on: boolean) =>
      frame.current?.contentWindow?.postMessage({ type: `treadle:${type}`, on }, origin),
    [frame, origin],
  );
  useFrameMessages(
    frame,
    origin,
    useCallback(
      (data: unknown) => {
        const message = readRecordMessage(data);
        if (!message || !isRecording) return;
        if (message.type === "expecting") setExpecting(message.on);
        else if (message.type === "recorded")
          setSteps((before) => addRecorded(before, message.step));
        else {
          setExpecting(false);
          send("record", true);
        }
      },
      [isRecording, send, setSteps],
    ),
  );
  useEffect(() => {
    if (!isRecording) return;
    send("record", true);
    return () => void send("record", false);
  }, [isRecording, send]);

  return {
    phase,
    isOn: phase.is !== "off",
    steps,
    expecting,
    problem,
    /** Starts recording a new check. @param path the page's current path, where the check begins */
    start(path: string) {
      setSteps(addWords([], `open ${path}`));
      setExpecting(false);
      setProblem(undefined);
      setPhase({ is: "recording" });
    },
    /** Adds a navigation by the preview's own controls. */
    add(step: string) {
      if (isRecording) setSteps((before) => addWords(before, step));
    },
    expect: (on: boolean) => {
      if (on) frame.current?.focus();
      send("expect", on);
    },
    remove: (key: number) => setSteps((before) => before.filter((step) => step.key !== key)),
    change: (key: number, text: string) =>
      setSteps((before) => before.map((step) => (step.key === key ? { key, words: text } : step))),
    close: () => setPhase({ is: "off" }),
    /** Saves the check under a name and runs it. */
    async save(name: string, texts: readonly string[]) {
      setProblem(undefined);
      setPhase({ is: "saving" });
      try {
        await saveEdits();
        const refused = await appendCheck(
          project,
          name,
          texts.map((text) => `- ${text}`).join("\n"),
        );
        if (refused) {
          setProblem(words.record.refused[refused]);
          return setPhase({ is: "recording" });
        }
        setPhase({ is: "saved", name });
        await checkAgain(project);
      } catch (error) {
        setProblem(sentence(error));
        setPhase((now) => (now.is === "saved" ? now : { is: "recording" }));
      }
    },
  };
}
