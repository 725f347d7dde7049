import { evidenceOf, isWorking } from "@treadle/protocol/fold";
import { isSameCheck } from "@treadle/protocol/evidence";
import { useState } from "react";
import { Eye, X } from "../ui/icons.ts";
import { ChecksDetails } from "../evidence/checks-details.tsx";
import { useChecksFile } from "../evidence/use-checks-file.ts";
import { useView } from "../live/live-context.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { words } from "../words/words.ts";
import { isStep, MAX_STEPS, type RecordedStep } from "./recorded-steps.ts";
import type { Recorder } from "./use-recorder.ts";

/** The check being recorded: its steps, its name, and its result once it is saved. */
export default function RecordPanel({ recorder }: { recorder: Recorder }) {
  const { phase, close } = recorder;
  return (
    <section
      aria-label={words.record.title}
      className="flex h-full flex-col overflow-hidden border-l border-line bg-paper text-small max-wide:border-t max-wide:border-l-0"
    >
      <div className="flex shrink-0 items-center gap-2 border-b border-line py-1 pr-1 pl-3">
        {phase.is === "recording" && (
          <span className="size-2 shrink-0 rounded-full bg-failed" aria-hidden="true" />
        )}
        <h2 className="min-w-0 flex-1 truncate font-semibold">{words.record.title}</h2>
        <IconButton name={words.record.close} onClick={close}>
          <X size={15} aria-hidden="true" />
        </IconButton>
      </div>
      {phase.is === "saved" ? (
        <Outcome name={phase.name} recorder={recorder} />
      ) : (
        <Steps recorder={recorder} />
      )}
    </section>
  );
}

function Steps({ recorder }: { recorder: Recorder }) {
  const { steps, expecting, problem, phase, save, expect, change, remove } = recorder;
  const [name, setName] = useState("");
  // A typed password is recorded only if the person agrees.
  const [withSecrets, setWithSecrets] = useState(false);
  const textOf = ({ words: plain, secretWords }: RecordedStep) =>
    withSecrets && secretWords !== undefined ? secretWords : plain;
  const texts = steps.map(textOf);
  const expects = texts.some((text) => /^expect\b/i.test(text.trim()));
  const isReady = name.trim() !== "" && texts.length > 0 && texts.every(isStep);
  return (
    <form
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) void save(name.trim(), texts);
      }}
    >
      <div className="min-h-0 flex-1 space-y-2 overflow-y-auto p-3">
        <p className="text-quiet">{words.record.about}</p>
        <ol aria-label={words.record.steps} className="space-y-1">
          {steps.map((step) => (
            <Step
              key={step.key}
              text={textOf(step)}
              onChange={(text) => change(step.key, text)}
              onRemove={() => remove(step.key)}
            />
          ))}
        </ol>
        {steps.length >= MAX_STEPS && <p>{words.record.full({ most: MAX_STEPS })}</p>}
        {steps.some(({ secretWords }) => secretWords !== undefined) && (
          <label className="flex items-baseline gap-2 pointer-coarse:min-h-11">
            <input
              type="checkbox"
              checked={withSecrets}
              onChange={(event) => setWithSecrets(event.target.checked)}
              className="accent-accent"
            />
            <span>
              {words.record.secrets} <span className="text-quiet">{words.record.secretsAbout}</span>
            </span>
          </label>
        )}
        {steps.some(({ hasNewText }) => hasNewText) && (
          <p className="text-quiet">{words.record.newTexts}</p>
        )}
        {!expects && steps.length > 1 && (
          <p className="text-unsure">{words.record.expectsNothing}</p>
        )}
      </div>
      <div className="shrink-0 space-y-2 border-t border-line p-3">
        <Button
          className="w-full aria-pressed:border-accent aria-pressed:text-accent"
          aria-pressed={expecting}
          onClick={() => expect(!expecting)}
        >
          <Eye size={14} aria-hidden="true" />
          {expecting ? words.record.expecting : words.record.expect}
        </Button>
        <div className="flex items-end gap-2">
          <Field
            label={words.record.name}
            value={name}
            onText={setName}
            placeholder={words.record.nameHint}
            maxLength={120}
          />
          <Button
            type="submit"
            kind="primary"
            size="medium"
            disabled={!isReady || phase.is === "saving"}
          >
            {words.record.save}
          </Button>
        </div>
        {problem !== undefined && (
          <p role="alert" className="text-failed">
            {problem}
          </p>
        )}
      </div>
    </form>
  );
}

function Step({
  text,
  onChange,
  onRemove,
}: {
  text: string;
  onChange: (text: string) => void;
  onRemove: () => void;
}) {
  const isGood = isStep(text);
  return (
    <li>
      <span className="flex items-center gap-1">
        <input
          aria-label={words.record.step}
          aria-invalid={!isGood}
          value={text}
          spellCheck={false}
          autoCapitalize="none"
          onChange={(event) => onChange(event.target.value)}
          className="h-7 min-w-0 flex-1 rounded border border-transparent bg-raised px-1.5 font-mono hover:border-edge focus:border-edge aria-invalid:border-failed pointer-coarse:h-11"
        />
        <IconButton name={words.record.remove({ step: text })} onClick={onRemove}>
          <X size={14} aria-hidden="true" />
        </IconButton>
      </span>
      {!isGood && <span className="text-failed">{words.record.noStep}</span>}
    </li>
  );
}

/** The result of the saved check. */
function Outcome({ name, recorder }: { name: string; recorder: Recorder }) {
  const report = useView((view) =>
    evidenceOf(view).checks?.find((check) => isSameCheck(check.name, name)),
  );
  const isLooking = useView(isWorking);
  const openChecks = useChecksFile();
  const isThere = report !== undefined && report.state !== "untried";
  return (
    <div className="min-h-0 flex-1 space-y-2 overflow-y-auto p-3" role="status">
      <p>{words.record.saved({ name })}</p>
      {isThere ? (
        <ChecksDetails checks={[report]} />
      ) : (
        <p className="text-quiet">{isLooking ? words.record.running : words.record.notRun}</p>
      )}
      {recorder.problem !== undefined && (
        <p role="alert" className="text-failed">
          {recorder.problem}
        </p>
      )}
      <Button onClick={() => void openChecks()}>{words.evidence.editChecks}</Button>
    </div>
  );
}
