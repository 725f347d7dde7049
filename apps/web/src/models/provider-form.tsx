import type { ProviderInfo } from "@treadle/protocol";
import { useState, type FormEvent } from "react";
import { removeKey, setKey, testProvider } from "../api/models.ts";
import { useRefreshModels } from "../api/queries.ts";
import { ApiFailure, sentence } from "../api/request.ts";
import { ArrowLeft, ExternalLink } from "../ui/icons.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Field } from "./provider-field.tsx";
import { words } from "../words/words.ts";

type Outcome = { ok: boolean; text: string };

/** The form of a provider's key or address, with a test, and for a model by name. The server never returns a key. */
export function ProviderForm({
  provider,
  onBack,
  onChoose,
}: {
  provider: ProviderInfo;
  onBack: () => void;
  onChoose: (model: string) => Promise<void>;
}) {
  const refresh = useRefreshModels();
  const [key, setKeyText] = useState("");
  const [address, setAddress] = useState(provider.address ?? "");
  const [model, setModel] = useState("");
  const [busy, setBusy] = useState<string>();
  const [outcome, setOutcome] = useState<Outcome>();
  /** The settings of the last successful test. */
  const [tried, setTried] = useState<string>();
  /** Whether the typed settings failed the test, but may be valid and can be stored all the same. */
  const [unkept, setUnkept] = useState(false);
  const attempted = JSON.stringify([key, address, model]);
  const changed = key !== "" || address !== (provider.address ?? "");
  const complete =
    (!provider.needsKey || key !== "" || provider.source !== undefined) &&
    (!provider.needsAddress || address !== "");

  const attempt = async (what: string, work: () => Promise<string | undefined>) => {
    setBusy(what);
    setOutcome(undefined);
    try {
      const text = await work();
      if (text !== undefined) setOutcome({ ok: true, text });
    } catch (error) {
      setOutcome({ ok: false, text: sentence(error) });
    } finally {
      setBusy(undefined);
    }
  };

  const typed = () => ({
    key: key.trim() || undefined,
    // An unchanged address belongs to the stored key, which would not be sent with it.
    address: address === (provider.address ?? "") && key === "" ? undefined : address || undefined,
  });

  const save = async () => {
    await setKey(provider.id, typed());
    setKeyText("");
    setUnkept(false);
    await refresh();
  };

  /** Tests the typed settings. Settings that fail are not stored, and stay in the form for correction. */
  const ask = async () => {
    setUnkept(false);
    try {
      await testProvider(provider.id, { ...typed(), model: model.trim() || undefined });
      setTried(attempted);
    } catch (error) {
      const code = error instanceof ApiFailure ? error.code : "";
      // The provider accepted the key but has no default model to test.
      if (code === "model-missing" && model === "") return setTried(attempted);
      setUnkept(changed && code !== "key-wrong" && code !== "bad-input");
      const keyNote =
        provider.source === "page" ? words.models.stillInUse : words.models.nothingKept;
      const message =
        code === "key-wrong" && key !== ""
          ? words.models.notAccepted({ name: provider.name })
          : sentence(error);
      throw new Error(changed ? `${message} ${keyNote}` : message, {
        cause: error,
      });
    }
  };

  const test = () =>
    attempt(words.models.testing, async () => {
      await ask();
      await refresh();
      return changed
        ? words.models.answeredSave({ name: provider.name })
        : words.models.answered({ name: provider.name });
    });

  const finish = async () => {
    if (model === "") onBack();
    else await onChoose(`${provider.id}:${model.trim()}`);
    return undefined;
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(changed ? words.models.testing : words.models.saving, async () => {
      if (changed) {
        if (tried !== attempted) await ask();
        await save();
      }
      return finish();
    });
  };

  // Required fields come first.
  const addressField = (provider.needsAddress || provider.address !== undefined) && (
    <Field
      autoFocus={!provider.needsKey}
      label={words.models.address}
      type="url"
      value={address}
      onChange={setAddress}
      placeholder="http://localhost:8080/v1"
    />
  );

  return (
    <form onSubmit={submit} className="flex flex-col gap-3 p-3" aria-label={provider.name}>
      <div className="flex items-center gap-1">
        <IconButton name={words.models.back} onClick={onBack}>
          <ArrowLeft size={16} aria-hidden="true" />
        </IconButton>
        <h3 className="font-semibold">{provider.name}</h3>
      </div>
      {!provider.needsKey && addressField}
      {(provider.needsKey || provider.needsAddress) && (
        <Field
          autoFocus={provider.needsKey}
          label={provider.needsKey ? words.models.key : words.models.keyIfWanted}
          type="password"
          value={key}
          onChange={setKeyText}
          placeholder={
            provider.source === undefined
              ? ""
              : provider.needsKey
                ? words.models.keySet
                : words.models.keyAgain
          }
          note={words.models.keyNote}
        >
          {provider.keyPage !== undefined && provider.source === undefined && (
            <a
              href={provider.keyPage}
              target="_blank"
              rel="noreferrer"
              className="inline-flex items-center gap-1 rounded text-small text-accent hover:underline pointer-coarse:min-h-11"
            >
              {words.models.getKey({ name: provider.name })}
              <ExternalLink size={12} aria-hidden="true" />
            </a>
          )}
        </Field>
      )}
      {provider.needsKey && addressField}
      <Field
        label={words.models.modelName}
        value={model}
        onChange={setModel}
        placeholder={words.models.modelNameHint}
      />
      {outcome && (
        <p
          role={outcome.ok ? "status" : "alert"}
          className={`text-small ${outcome.ok ? "text-verified" : "text-failed"}`}
        >
          {outcome.text}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button kind="primary" type="submit" disabled={busy !== undefined || !complete}>
          {model === "" ? words.models.save : words.models.useModel}
        </Button>
        <Button disabled={busy !== undefined || !complete} onClick={() => void test()}>
          {words.models.test}
        </Button>
        {unkept && (
          <Button
            disabled={busy !== undefined}
            onClick={() =>
              void attempt(words.models.saving, async () => {
                await save();
                return finish();
              })
            }
          >
            {words.models.keepUntested}
          </Button>
        )}
        {busy && <span className="text-small text-quiet">{busy}</span>}
        {provider.source === "page" && (
          <Button
            kind="quiet"
            className="ml-auto"
            disabled={busy !== undefined}
            onClick={() =>
              void attempt(words.models.forgetting, async () => {
                await removeKey(provider.id);
                await refresh();
                onBack();
                return undefined;
              })
            }
          >
            {words.models.forget}
          </Button>
        )}
      </div>
    </form>
  );
}
