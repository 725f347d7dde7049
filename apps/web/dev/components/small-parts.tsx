import { useState, type ReactNode } from "react";
import { Check } from "../../src/ui/icons.ts";
import { VerdictMark } from "../../src/evidence/verdict-mark.tsx";
import { Step } from "../../src/conversation/step.tsx";
import { Button, IconButton, type ButtonKind } from "../../src/ui/button.tsx";
import { Field } from "../../src/ui/field.tsx";
import { LineCountView } from "../../src/ui/line-count.tsx";
import { LoopMark } from "../../src/ui/loop-mark.tsx";
import { Select } from "../../src/ui/select.tsx";
import { Lost } from "../../src/ui/lost.tsx";

const KINDS: ButtonKind[] = ["primary", "plain", "quiet", "danger"];
const row = (children: ReactNode) => (
  <div className="flex flex-wrap items-center gap-2">{children}</div>
);

function Sending() {
  const [sent, setSent] = useState(0);
  return (
    <form
      className="flex items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        setSent(sent + 1);
      }}
    >
      <Field label="Words" onText={() => {}} defaultValue="Milk" />
      <Button type="submit" size="medium" disabled={sent > 0}>
        Send
      </Button>
      <span role="status">{`Sent ${sent}`}</span>
    </form>
  );
}

/** Components that need no project. */
export const SMALL_PARTS: Record<string, () => ReactNode> = {
  buttons: () =>
    row(
      KINDS.map((kind) => (
        <Button key={kind} kind={kind}>
          {kind}
        </Button>
      )),
    ),
  "buttons that cannot be pressed": () =>
    row(
      KINDS.map((kind) => (
        <Button key={kind} kind={kind} disabled>
          {kind}
        </Button>
      )),
    ),
  "a form that is being sent": () => <Sending />,
  "larger buttons": () =>
    row(
      KINDS.map((kind) => (
        <Button key={kind} kind={kind} size="medium">
          {kind}
        </Button>
      )),
    ),
  "icon buttons": () =>
    row(
      <>
        <IconButton name="Plain">
          <Check size={16} />
        </IconButton>
        <IconButton name="Off" disabled>
          <Check size={16} />
        </IconButton>
      </>,
    ),
  field: () => (
    <Field label="Name" note="As others see it" onText={() => {}} defaultValue="Todo app" />
  ),
  select: () => (
    <div className="flex w-40">
      <Select
        aria-label="Compared"
        value="turn"
        options={[{ value: "turn", name: "The turn of “A page for the whole team, with a clock”" }]}
        onChoose={() => {}}
        className="h-7 min-w-0 rounded border border-edge bg-raised px-1.5 text-ink"
      />
    </div>
  ),
  "verdict marks": () =>
    row(
      (["verified", "runs", "failed", "unverified", "working", "waiting"] as const).map((state) => (
        <VerdictMark key={state} state={state} />
      )),
    ),
  "loop mark": () =>
    row(
      <>
        <LoopMark />
        {(["write", "run", "look", "repair"] as const).map((phase) => (
          <LoopMark key={phase} phase={phase} />
        ))}
      </>,
    ),
  "line counts": () =>
    row(
      <>
        <LineCountView lines={{ added: 120, removed: 8 }} />
        <LineCountView lines={{ added: 3, removed: 0 }} />
        <LineCountView lines={{ added: 0, removed: 2 }} />
      </>,
    ),
  steps: () => (
    <>
      <Step title="Wrote src/App.tsx" number="0.1 s" />
      <Step title="Thought" quiet />
      <Step title="Running npm install…" tone="going" />
      <Step title="Looked: 1 error" tone="failed" action={<Button kind="quiet">Fix</Button>} />
      <Step title="Asked for a repair" number="1 of 4" tone="unsure" />
      <Step title="Edited src/App.tsx" startOpen>
        {() => <p>What it holds</p>}
      </Step>
    </>
  ),
  lost: () => (
    <div style={{ height: 240 }}>
      <Lost title="There is no such project">It may have been deleted.</Lost>
    </div>
  ),
};
