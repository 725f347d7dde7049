import type { DesignMode, ProjectDesign } from "@treadle/protocol";
import { visible, visibleProse } from "@treadle/protocol/safe-text";
import { useState } from "react";
import { sentence } from "../api/request.ts";
import { addToDraft, closeDesign, dropDraft } from "../project/design-store.ts";
import { insertText } from "../project/inserted-text-store.ts";
import { useWork } from "../project/work-store.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { X } from "../ui/icons.ts";
import { Select } from "../ui/select.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";
import { starterTokens } from "./starter.ts";
import { TakeOver } from "./take-over.tsx";
import { TokenGroups } from "./token-groups.tsx";
import { useDesign, useSaveDesign } from "./use-design.ts";

/** The project's design tokens. Changes show in the preview at once, and are written together. */
export default function DesignPanel() {
  const { project, design, draft, error } = useDesign();
  const save = useSaveDesign();
  const { act, busy, problem } = useAct();
  const [isTakingOver, setTakingOver] = useState(false);
  const [chosen, setMode] = useState("base");
  const mode = design?.modes.some(({ id }) => id === chosen) ? chosen : "base";
  return (
    <section
      aria-label={words.design.title}
      className="flex h-full flex-col overflow-hidden border-l border-line bg-paper text-small max-wide:border-t max-wide:border-l-0"
    >
      <div className="flex shrink-0 items-center gap-2 border-b border-line py-1 pr-1 pl-3">
        <h2 className="min-w-0 flex-1 truncate font-semibold">{words.design.title}</h2>
        <Button
          kind="quiet"
          aria-expanded={isTakingOver}
          onClick={() => setTakingOver(!isTakingOver)}
        >
          {words.design.takeOver}
        </Button>
        <IconButton name={words.design.close} onClick={closeDesign}>
          <X size={15} aria-hidden="true" />
        </IconButton>
      </div>
      <div className="min-h-0 flex-1 space-y-4 overflow-y-auto p-3">
        {error && (
          <p role="alert" className="text-failed">
            {visibleProse(sentence(error))}
          </p>
        )}
        {design && isTakingOver && (
          <TakeOver
            design={design}
            onTake={(edits) => {
              addToDraft(project, edits);
              setTakingOver(false);
            }}
          />
        )}
        {design && !isTakingOver && design.tokens.length === 0 && (
          <NoTokens design={design} onStart={() => addToDraft(project, starterTokens())} />
        )}
        {design && !isTakingOver && design.tokens.length > 0 && (
          <>
            <Place design={design} mode={mode} onMode={setMode} />
            <TokenGroups
              design={design}
              draft={draft}
              mode={mode}
              onEdit={(edit) => addToDraft(project, [edit])}
            />
          </>
        )}
      </div>
      {(draft.length > 0 || problem) && (
        <div className="shrink-0 space-y-2 border-t border-line p-3">
          {problem && (
            <p role="alert" className="text-failed">
              {visibleProse(problem)}
            </p>
          )}
          <div className="flex items-center gap-2">
            <p className="min-w-0 flex-1 text-quiet">
              {words.design.notSaved({ amount: draft.length })}
            </p>
            <Button disabled={busy} onClick={() => dropDraft(project)}>
              {words.design.discard}
            </Button>
            <Button
              kind="primary"
              disabled={busy || draft.length === 0}
              onClick={() => void act(save)}
            >
              {words.design.save}
            </Button>
          </div>
        </div>
      )}
    </section>
  );
}

/** The file of the tokens, and the choice of the mode, such as dark, whose values are shown. */
function Place({
  design,
  mode,
  onMode,
}: {
  design: ProjectDesign;
  mode: string;
  onMode: (mode: string) => void;
}) {
  const openFile = useWork((state) => state.openFile);
  return (
    <div className="space-y-2">
      {design.files.map(({ path }) => (
        <button
          key={path}
          type="button"
          title={words.visual.showInFile}
          onClick={() => openFile(path)}
          className="mr-2 rounded font-mono break-all underline decoration-line underline-offset-2 hover:text-accent"
        >
          {visible(path)}
        </button>
      ))}
      {design.modes.length > 1 && (
        <label className="flex items-center gap-2">
          <span className="shrink-0 text-quiet">{words.design.mode}</span>
          <Select
            value={mode}
            options={design.modes.map((one) => ({ value: one.id, name: modeName(one) }))}
            onChoose={onMode}
            className="h-7 min-w-0 flex-1 rounded border border-edge bg-raised px-1.5 pointer-coarse:h-11"
          />
        </label>
      )}
    </div>
  );
}

function modeName({ id, kind }: DesignMode): string {
  if (kind === "base") return words.design.modes.base;
  if (kind === "selector") return visible(id);
  return id === "dark" ? words.design.modes.dark : words.design.modes.light;
}

function NoTokens({ design, onStart }: { design: ProjectDesign; onStart: () => void }) {
  return (
    <div className="space-y-3">
      <p className="text-quiet">{words.design.none}</p>
      {design.stylesheet === undefined ? (
        <p>{words.design.noStylesheet}</p>
      ) : (
        <>
          <p>{words.design.start({ path: visible(design.stylesheet) })}</p>
          <Button kind="primary" onClick={onStart}>
            {words.design.startNow}
          </Button>
        </>
      )}
      <Button onClick={() => insertText(words.design.askToUse)}>{words.design.ask}</Button>
    </div>
  );
}
