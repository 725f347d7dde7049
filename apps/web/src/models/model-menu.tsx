import { useQueryClient } from "@tanstack/react-query";
import type { ModelHabits, ProviderInfo } from "@treadle/protocol";
import { useState } from "react";
import { Check, Columns3 } from "../ui/icons.ts";
import { forgetHabits } from "../api/models.ts";
import { MODELS_KEY, useModels } from "../api/queries.ts";
import { sentence } from "../api/request.ts";
import { isComposing } from "../ui/composing.ts";
import { FocusableButton } from "../ui/button.tsx";
import { useAct } from "../ui/use-act.ts";
import { OtherProviders } from "./other-providers.tsx";
import { ProviderForm } from "./provider-form.tsx";
import { PromptCache, SeesPictures, Thinking } from "./model-setting.tsx";
import { words } from "../words/words.ts";

/** With more models than this, a search field is shown. */
const MAX_WITHOUT_SEARCH = 12;

/** Available models and providers to set up: one list, then one form. */
export default function ModelMenu({
  chosen,
  begins = false,
  onChoose,
  onCompare,
}: {
  chosen: string | undefined;
  /** Whether to move the focus into the menu when it opens. */
  begins?: boolean;
  onChoose: (model: string) => Promise<void>;
  /** Opens the comparison of several models. */
  onCompare?: (() => void) | undefined;
}) {
  const { data: models, error, isPending } = useModels();
  const [editing, setEditing] = useState<string>();
  /** The provider whose form was closed; its button gets the focus. */
  const [closedProvider, setClosedProvider] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [searchText, setSearchText] = useState("");
  if (isPending) return <p className="p-3 text-quiet">{words.models.looking}</p>;
  if (!models)
    return (
      <p role="alert" className="p-3 text-failed">
        {sentence(error)}
      </p>
    );
  const provider = models.providers.find((one) => one.id === editing);
  if (provider)
    return (
      <ProviderForm
        provider={provider}
        onBack={() => {
          setClosedProvider(provider.id);
          setEditing(undefined);
        }}
        onChoose={onChoose}
      />
    );

  const ready = models.providers.filter((one) => one.source !== undefined);
  const others = models.providers.filter((one) => one.source === undefined);
  const isLong = ready.reduce((sum, one) => sum + one.models.length, 0) > MAX_WITHOUT_SEARCH;
  const query = isLong ? searchText.trim() : "";
  const shown =
    query === ""
      ? ready
      : ready
          .map((one) => ({ ...one, models: one.models.filter((model) => isCalled(model, query)) }))
          .filter((one) => one.models.length > 0);
  const choose = (model: string) => {
    setProblem(undefined);
    onChoose(model).catch((failure: unknown) => setProblem(sentence(failure)));
  };
  return (
    <div className="py-1">
      {problem && (
        <p role="alert" className="px-3 py-2 text-small text-failed">
          {problem}
        </p>
      )}
      {ready.length === 0 && <p className="px-3 py-2 text-small text-quiet">{words.models.none}</p>}
      {isLong && (
        <div className="px-3 pt-1 pb-2">
          <input
            type="search"
            autoFocus={begins && !matchMedia("(pointer: coarse)").matches}
            aria-label={words.models.search}
            placeholder={words.models.search}
            value={searchText}
            onChange={({ target }) => setSearchText(target.value)}
            onKeyDown={(event) => {
              const first = shown[0]?.models[0];
              if (event.key !== "Enter" || isComposing(event.nativeEvent)) return;
              event.preventDefault();
              if (query !== "" && first) choose(first.id);
            }}
            className="h-8 w-full rounded border border-edge bg-paper px-2 pointer-coarse:h-11"
          />
        </div>
      )}
      {shown.length === 0 && query !== "" && (
        <p role="status" className="px-3 pb-2 text-small text-quiet">
          {words.models.noneNamed}
        </p>
      )}
      {shown.map((one) => (
        <Ready
          key={one.id}
          provider={one}
          chosen={chosen}
          wasEdited={one.id === closedProvider}
          onChoose={choose}
          onEdit={() => setEditing(one.id)}
        />
      ))}
      {onCompare && ready.length > 0 && (
        <button
          type="button"
          title={words.compare.severalAbout}
          onClick={onCompare}
          className="flex w-full items-center gap-2 border-t border-line px-3 py-1.5 text-left -outline-offset-2 hover:bg-hover pointer-coarse:min-h-11"
        >
          <Columns3 size={14} aria-hidden="true" className="text-quiet" />
          {words.compare.several}
        </button>
      )}
      {others.length > 0 && (
        <OtherProviders
          others={others}
          isFirst={ready.length === 0}
          closed={closedProvider}
          onEdit={setEditing}
        />
      )}
    </div>
  );
}

/**
 * Whether a model's name contains every word of the query. Not a fuzzy match, because similar names are other models.
 */
const isCalled = ({ id, label }: ProviderInfo["models"][number], query: string) =>
  query
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => `${id} ${label}`.toLocaleLowerCase().includes(word));

/** What Treadle has learned about a model, with a button to discard it. Draws nothing if there is nothing to show. */
function Habits({ id, habits }: { id: string; habits: ModelHabits }) {
  const client = useQueryClient();
  const { act, busy, problem } = useAct();
  const shown = [
    ...(habits.dialect === "artifact" ? [words.models.writesTags] : []),
    ...(habits.wholeFiles ? [words.models.wholeFiles] : []),
  ];
  if (shown.length === 0) return null;
  return (
    <p className="flex items-baseline gap-2 pr-3 pb-1 pl-9 text-small text-quiet">
      <span className="min-w-0 flex-1">{words.models.learnt({ what: shown.join("; ") })}</span>
      <FocusableButton
        disabled={busy}
        className="min-h-6 shrink-0 hover:text-ink hover:underline pointer-coarse:min-h-11"
        onClick={() =>
          void act(async () => {
            await forgetHabits(id);
            await client.invalidateQueries({ queryKey: MODELS_KEY });
          })
        }
      >
        {words.models.reset}
        <span className="sr-only">{words.models.resetFor({ id })}</span>
      </FocusableButton>
      {problem && <span role="alert">{problem}</span>}
    </p>
  );
}

function Ready({
  provider,
  chosen,
  wasEdited,
  onChoose,
  onEdit,
}: {
  provider: ProviderInfo;
  chosen: string | undefined;
  wasEdited: boolean;
  onChoose: (model: string) => void;
  onEdit: () => void;
}) {
  return (
    <section aria-label={provider.name} className="pb-1">
      <div className="flex items-baseline justify-between gap-2 px-3 pt-1 text-small text-quiet">
        <h3>
          {provider.name}
          {provider.source && <span> · {words.models.sources[provider.source]}</span>}
        </h3>
        <button
          type="button"
          autoFocus={wasEdited}
          className="min-h-6 hover:text-ink hover:underline"
          onClick={onEdit}
        >
          {provider.models.length === 0 ? words.models.nameModel : words.models.change}
          <span className="sr-only">{words.models.changeFor({ name: provider.name })}</span>
        </button>
      </div>
      <ul>
        {provider.models.map((model) => {
          const { id } = model;
          return (
            <li key={id}>
              <button
                type="button"
                aria-pressed={id === chosen}
                onClick={() => onChoose(id)}
                className="flex w-full items-center gap-2 px-3 py-1 text-left -outline-offset-2 hover:bg-hover pointer-coarse:min-h-11"
              >
                <Check
                  size={14}
                  aria-hidden="true"
                  className={id === chosen ? "shrink-0 text-accent" : "invisible shrink-0"}
                />
                <span className="truncate">{model.label}</span>
              </button>
              {model.habits && <Habits id={id} habits={model.habits} />}
              {(id === chosen || model.habits?.pictures) && <SeesPictures model={model} />}
              {(id === chosen || model.habits?.thinking) && <Thinking model={model} />}
              {(id === chosen || model.habits?.cache) && <PromptCache model={model} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
