import { useQueryClient } from "@tanstack/react-query";
import type { Release, ShareKind, Shares } from "@treadle/protocol";
import { visibleProse } from "@treadle/protocol/safe-text";
import { useState, type ComponentProps } from "react";
import { makeShare, sharesKey } from "../api/shares.ts";
import { useProjectId } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { copyText } from "../ui/copy-text.ts";
import { Field } from "../ui/field.tsx";
import { notice } from "../ui/notice.ts";
import { Select } from "../ui/select.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

const KINDS: readonly ShareKind[] = ["preview", "release", "conversation"];
/** Lifetimes in days; 0: no limit. */
const LIFETIMES_DAYS = [1, 7, 30, 0] as const;

const numberedWords = (number: number, label: string) =>
  label === "" ? words.share.numbered({ number }) : words.share.numberedNamed({ number, label });

/** Creates a link: what it shows, its lifetime and its password. */
export function NewLink({ releases }: { releases: readonly Release[] }) {
  const project = useProjectId();
  const client = useQueryClient();
  const [kind, setKind] = useState<ShareKind>("preview");
  const [days, setDays] = useState<number>(7);
  const [release, setRelease] = useState(0);
  const [password, setPassword] = useState("");
  const [costs, setCosts] = useState(false);
  const [source, setSource] = useState(false);
  const { act, busy, problem } = useAct();
  const make = () =>
    act(async () => {
      const made = await makeShare(project, {
        kind,
        release: kind === "release" && release > 0 ? release : undefined,
        days: days > 0 ? days : undefined,
        password: password === "" ? undefined : password,
        ...(kind === "conversation" && { costs, source }),
      });
      client.setQueryData<Shares>(sharesKey(project), (known) => ({
        ...known,
        shares: [made, ...(known?.shares ?? [])],
      }));
      setPassword("");
      if (await copyText(made.link)) notice(words.share.copied);
    });
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void make();
      }}
    >
      <fieldset className="space-y-1">
        <legend className="text-small text-quiet">{words.share.what}</legend>
        {KINDS.map((one) => (
          <Choice
            key={one}
            type="radio"
            checked={kind === one}
            disabled={one === "release" && releases.length === 0}
            onChange={() => setKind(one)}
            label={words.share.kinds[one]}
            note={
              one === "release" && releases.length === 0
                ? words.share.notPublished
                : words.share.kindNotes[one]
            }
          />
        ))}
      </fieldset>
      <div className="flex flex-wrap items-end gap-3">
        {kind === "release" && (
          <Chosen
            label={words.share.release}
            value={release}
            onChange={setRelease}
            options={[
              [0, words.share.current],
              ...releases.map(
                ({ number, label }) =>
                  [number, numberedWords(number, visibleProse(label))] as const,
              ),
            ]}
          />
        )}
        <Chosen
          label={words.share.ends}
          value={days}
          onChange={setDays}
          options={LIFETIMES_DAYS.map((one) => [
            one,
            one === 0 ? words.share.never : words.share.days({ amount: one }),
          ])}
        />
        <div className="flex min-w-40 flex-1">
          <Field
            label={words.share.password}
            type="password"
            autoComplete="new-password"
            minLength={8}
            maxLength={200}
            value={password}
            onText={setPassword}
          />
        </div>
      </div>
      {kind === "conversation" && (
        <div className="space-y-1">
          <Choice
            type="checkbox"
            checked={costs}
            onChange={() => setCosts(!costs)}
            label={words.share.costs}
          />
          <Choice
            type="checkbox"
            checked={source}
            onChange={() => setSource(!source)}
            label={words.share.source}
            note={words.share.sourceNote}
          />
        </div>
      )}
      <Button type="submit" kind="primary" size="medium" disabled={busy}>
        {words.share.make}
      </Button>
      {problem && (
        <p role="alert" className="text-failed">
          {problem}
        </p>
      )}
    </form>
  );
}

function Choice({
  label,
  note,
  ...input
}: { label: string; note?: string } & ComponentProps<"input">) {
  return (
    <label className="flex items-start gap-2 py-0.5 pointer-coarse:py-2">
      <input
        className="mt-1 shrink-0"
        name={input.type === "radio" ? "kind" : undefined}
        {...input}
      />
      <span>
        {label}
        {note !== undefined && <span className="block text-small text-quiet">{note}</span>}
      </span>
    </label>
  );
}

function Chosen({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: number;
  options: readonly (readonly [number, string])[];
  onChange: (value: number) => void;
}) {
  return (
    <label className="text-small text-quiet">
      {label}
      <Select
        value={value}
        options={options.map(([key, name]) => ({ value: key, name }))}
        onChoose={onChange}
        className="mt-0.5 block h-8 max-w-full rounded border border-edge bg-paper px-2 text-base text-ink pointer-coarse:h-11"
      />
    </label>
  );
}
