import { useEffect, useRef, useState } from "react";
import { Mic } from "../ui/icons.ts";
import { useCommand } from "../commands/available.ts";
import { keysHint } from "../commands/hint.ts";
import { IconButton } from "../ui/button.tsx";
import { languageTag, words } from "../words/words.ts";

/** The parts of the browser's speech recognition that are used; the DOM types do not include them yet. */
interface Recognition {
  lang: string;
  interimResults: boolean;
  continuous: boolean;
  onresult: ((event: { resultIndex: number; results: ArrayLike<SpeechResult> }) => void) | null;
  onerror: ((event: { error: string }) => void) | null;
  onend: (() => void) | null;
  start(): void;
  stop(): void;
  abort(): void;
}
type SpeechResult = ArrayLike<{ transcript: string }> & { isFinal: boolean };

function recognizer(): (new () => Recognition) | undefined {
  const here = globalThis as { [name: string]: unknown };
  return (here["SpeechRecognition"] ?? here["webkitSpeechRecognition"]) as
    | (new () => Recognition)
    | undefined;
}

function problemOf(error: string): string | undefined {
  if (error === "not-allowed" || error === "service-not-allowed") return words.prompt.mayNotListen;
  if (error === "audio-capture") return words.prompt.noMicrophone;
  return error === "network" ? words.prompt.speechOffline : undefined;
}

/** Dictates into the field; shown only if the browser supports speech recognition. */
export function VoiceButton({
  onWords,
  onProblem,
}: {
  onWords: (words: string) => void;
  onProblem: (problem: string) => void;
}) {
  const Recognizer = recognizer();
  const running = useRef<Recognition>(undefined);
  const [listening, setListening] = useState(false);
  useEffect(() => () => running.current?.abort(), []);
  const listen = () => {
    if (!Recognizer) return;
    const recognition = new Recognizer();
    running.current = recognition;
    recognition.lang = languageTag();
    recognition.continuous = true;
    recognition.interimResults = false;
    recognition.onresult = ({ resultIndex, results }) => {
      for (const result of Array.from(results).slice(resultIndex))
        if (result.isFinal) onWords(result[0]?.transcript.trim() ?? "");
    };
    recognition.onerror = ({ error }) => {
      const problem = problemOf(error);
      if (problem !== undefined) onProblem(problem);
    };
    recognition.onend = () => setListening(false);
    setListening(true);
    recognition.start();
  };
  const toggle = () => (listening ? running.current?.stop() : listen());
  useCommand("speak", Recognizer !== undefined && toggle);
  if (!Recognizer) return null;
  const name = listening ? words.prompt.stopListening : words.prompt.speak;
  return (
    <IconButton
      name={name}
      {...keysHint("speak", name)}
      aria-pressed={listening}
      className={listening ? "text-accent" : ""}
      onClick={toggle}
    >
      <Mic size={15} aria-hidden="true" className={listening ? "pulsing" : ""} />
    </IconButton>
  );
}
