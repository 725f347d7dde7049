import type { ProviderInfo } from "@treadle/protocol";
import { ArrowLeft } from "lucide-react";
import { useId, useState, type FormEvent } from "react";
import { removeKey, setKey, testProvider } from "../api/models.ts";
import { useRefreshModels } from "../api/queries.ts";
import { sentence } from "../api/request.ts";
import { Button, IconButton } from "../ui/button.tsx";

type Outcome = { ok: boolean; text: string };

/** A provider's key or address, a test of it, and a model by name. Keys go to the server and never come back. */
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

  const keep = async () => {
    if (!changed) return;
    await setKey(provider.id, {
      key: key === "" ? undefined : key.trim(),
      address: address === "" ? undefined : address.trim(),
    });
    setKeyText("");
    await refresh();
  };

  const test = () =>
    attempt("Testing…", async () => {
      await keep();
      const answer = await testProvider(provider.id, model === "" ? undefined : model.trim());
      if (answer && answer.ok === false)
        throw new Error(answer.message ?? `${provider.name} did not answer.`);
      await refresh();
      return `${provider.name} answered. Choose one of its models.`;
    });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt("Saving…", async () => {
      await keep();
      if (model === "") {
        onBack();
        return undefined;
      }
      await onChoose(`${provider.id}:${model.trim()}`);
      return undefined;
    });
  };

  return (
    <form onSubmit={submit} className="flex flex-col gap-3 p-3" aria-label={provider.name}>
      <div className="flex items-center gap-1">
        <IconButton name="Back to the models" onClick={onBack}>
          <ArrowLeft size={16} aria-hidden="true" />
        </IconButton>
        <h3 className="font-semibold">{provider.name}</h3>
      </div>
      {(provider.needsKey || provider.needsAddress) && (
        <Field
          label={provider.needsKey ? "Key" : "Key, if it wants one"}
          type="password"
          value={key}
          onChange={setKeyText}
          placeholder={
            provider.source === undefined
              ? ""
              : provider.needsKey
                ? "A key is set; type to replace it"
                : "Typed again with every change"
          }
          note="Kept on this server, never shown again."
        />
      )}
      {(provider.needsAddress || provider.address !== undefined) && (
        <Field
          label="Address"
          type="url"
          value={address}
          onChange={setAddress}
          placeholder="http://localhost:8080/v1"
        />
      )}
      <Field
        label="Model, if it is not in the list"
        value={model}
        onChange={setModel}
        placeholder="as the provider names it"
      />
      {outcome && (
        <p
          role={outcome.ok ? "status" : "alert"}
          className={`text-small ${outcome.ok ? "text-verified" : "text-failed"}`}
        >
          {outcome.text}
        </p>
      )}
      <div className="flex items-center gap-2">
        <Button kind="primary" type="submit" disabled={busy !== undefined || !complete}>
          {model === "" ? "Save" : "Use this model"}
        </Button>
        <Button disabled={busy !== undefined || !complete} onClick={() => void test()}>
          Test
        </Button>
        {busy && <span className="text-small text-quiet">{busy}</span>}
        {provider.source === "page" && (
          <Button
            kind="quiet"
            className="ml-auto"
            disabled={busy !== undefined}
            onClick={() =>
              void attempt("Forgetting…", async () => {
                await removeKey(provider.id);
                await refresh();
                onBack();
                return undefined;
              })
            }
          >
            Forget
          </Button>
        )}
      </div>
    </form>
  );
}

function Field({
  label,
  note,
  value,
  onChange,
  ...rest
}: {
  label: string;
  note?: string;
  value: string;
  type?: string;
  placeholder?: string;
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="text-small text-quiet">
        {label}
      </label>
      <input
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        autoComplete="off"
        spellCheck={false}
        className="mt-0.5 h-8 w-full rounded border border-edge bg-paper px-2 pointer-coarse:h-11"
        {...rest}
      />
      {note && <p className="mt-0.5 text-small text-quiet">{note}</p>}
    </div>
  );
}
