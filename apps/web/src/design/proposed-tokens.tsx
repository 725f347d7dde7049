import type { DesignProposal, ProjectDesign } from "@treadle/protocol";
import { visible, visibleProse } from "@treadle/protocol/safe-text";
import { useState } from "react";
import type { DraftEdit } from "../project/design-store.ts";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/select.tsx";
import { codedWords } from "../words/coded-words.ts";
import { words } from "../words/words.ts";

type Proposed = DesignProposal["tokens"][number];

/** The token that a proposed one is written to: a new one of the same name, another one, or `LEAVE` for none. */
type Target = string;
const LEAVE: Target = "";

/** Proposed tokens, each with the token that it becomes. Nothing changes before the person confirms. */
export function ProposedTokens({
  design,
  proposal: { tokens, problems },
  onTake,
}: {
  design: ProjectDesign;
  proposal: DesignProposal;
  onTake: (edits: DraftEdit[]) => void;
}) {
  const [targets, setTargets] = useState<Readonly<Record<string, Target>>>({});
  const targetOf = ({ name }: Proposed) => targets[name] ?? name;
  const taken = tokens.filter((one) => targetOf(one) !== LEAVE);
  // Values of the source's dark mode are written to this project's second mode, whatever its name is.
  const second = design.modes.find(({ kind }) => kind !== "base")?.id ?? "dark";
  const edits = taken.flatMap((one): DraftEdit[] => {
    const edit = { name: targetOf(one), group: one.group };
    const { base, dark } = one.values;
    return [
      { ...edit, mode: "base", value: base },
      ...(dark === undefined ? [] : [{ ...edit, mode: second, value: dark }]),
    ];
  });
  return (
    <section aria-label={words.design.proposal} className="space-y-3">
      {problems.length > 0 && (
        <ul className="space-y-1 text-unsure">
          {problems.map(({ text, coded }) => (
            <li key={text}>{visibleProse(codedWords(text, coded))}</li>
          ))}
        </ul>
      )}
      {tokens.length > 0 && (
        <>
          <ul className="space-y-2">
            {tokens.map((one) => (
              <li key={one.name} className="space-y-1">
                <p className="flex items-center gap-2">
                  {one.group === "colour" && <Swatches values={one.values} />}
                  <span className="truncate font-mono" title={visible(one.values.base)}>
                    {visible(one.name.slice(2))}{" "}
                    <span className="text-quiet">{visible(one.values.base)}</span>
                  </span>
                </p>
                <Select
                  aria-label={words.design.becomes({ name: visible(one.name.slice(2)) })}
                  value={targetOf(one)}
                  options={targetsFor(one, design)}
                  onChoose={(target) => setTargets({ ...targets, [one.name]: target })}
                  className="h-7 w-full rounded border border-edge bg-raised px-1.5 pointer-coarse:h-11"
                />
              </li>
            ))}
          </ul>
          <Button kind="primary" disabled={edits.length === 0} onClick={() => onTake(edits)}>
            {words.design.take({ amount: taken.length })}
          </Button>
        </>
      )}
    </section>
  );
}

function targetsFor(proposed: Proposed, design: ProjectDesign): { value: Target; name: string }[] {
  const own = design.tokens.filter(
    ({ name, group, aliasOf }) =>
      aliasOf === undefined && (group === proposed.group || name === proposed.name),
  );
  const isKnown = own.some(({ name }) => name === proposed.name);
  return [
    ...(isKnown
      ? []
      : [{ value: proposed.name, name: words.design.asNew({ name: visible(proposed.name) }) }]),
    ...own.map(({ name }) => ({
      value: name,
      name: words.design.replaces({ name: visible(name) }),
    })),
    { value: LEAVE, name: words.design.leave },
  ];
}

function Swatches({ values: { base, dark } }: { values: Proposed["values"] }) {
  return (
    <span aria-hidden="true" className="flex shrink-0">
      {[base, dark].map(
        (value, index) =>
          value !== undefined && (
            <span
              key={index}
              className="size-4 border border-line first:rounded-l last:rounded-r"
              style={{ backgroundColor: value }}
            />
          ),
      )}
    </span>
  );
}
