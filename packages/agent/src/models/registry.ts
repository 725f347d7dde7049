import { asMessage, sentence, type Message } from "@treadle/protocol/sentences";
import type { ErrorCode, ProviderInfo } from "@treadle/protocol";
import type { Model } from "../ports/model.ts";
import { findAccess, type FoundAccess, type ProviderKey } from "./access.ts";
import { discoverModels } from "./discover.ts";
import { findPrice } from "./price.ts";
import { findProvider, PROVIDERS, type ProviderSpec } from "./provider-specs.ts";
import { seesPictures } from "./sees-pictures.ts";
import { testModel } from "./test-model.ts";
import { providerFetch } from "./wire/provider-fetch.ts";
import { withWire } from "./wire/with-wire.ts";

export interface ModelProblem extends Message {
  code: ErrorCode;
}

export type ResolvedModel = { ok: true; model: Model } | { ok: false; error: ModelProblem };

/** The models that can be used here. No result contains a key. */
export interface ModelRegistry {
  /** Looks for model servers on this machine, for about a second at most. Never rejects. */
  discover(): Promise<void>;
  /** Every provider, with the source of its key or address, and its models. */
  list(): ProviderInfo[];
  /** `TREADLE_MODEL`, else the first model of the first provider that is set up, else a local one. */
  chosen(): string | undefined;
  /** Creates the model `provider:model`. Loads the provider's library, but sends no request. Never rejects. */
  resolve(id: string): Promise<ResolvedModel>;
  /**
   * Requests one word from a model, with the entered key and address if there are any, else the stored ones. Never
   * rejects.
   */
  test(
    provider: string,
    typed?: ProviderKey & { model?: string },
  ): Promise<{ ok: true; model: string } | { ok: false; error: ModelProblem }>;
}

/** @param options.keys keys entered in the page, by provider; read on every use, so it may change */
export function createModelRegistry(options: {
  env: Record<string, string | undefined>;
  keys: ReadonlyMap<string, ProviderKey>;
  fetch?: typeof globalThis.fetch;
}): ModelRegistry {
  const { env, keys, fetch } = options;
  const local = new Map<string, string[]>();

  const accessOf = (spec: ProviderSpec, typed = keys.get(spec.id)): FoundAccess | undefined =>
    findAccess(spec, { env, typed, local: local.has(spec.id), fetch });

  const modelsOf = (spec: ProviderSpec) => {
    const known = local.get(spec.id) ?? spec.models;
    const requested = env["TREADLE_MODEL"]?.trim();
    const own = requested?.startsWith(`${spec.id}:`)
      ? requested.slice(spec.id.length + 1)
      : undefined;
    return own === undefined || known.includes(own) ? known : [own, ...known];
  };

  const registry: ModelRegistry = {
    async discover() {
      await Promise.all(
        PROVIDERS.map(async (spec) => {
          const access = accessOf(spec)?.access;
          const address = access?.address ?? spec.local;
          const isServer = spec.local !== undefined || spec.id === "openai-compatible";
          if (address === undefined || !isServer) return;
          const found = await discoverModels({ address, key: access?.key, fetch });
          if (found === undefined) local.delete(spec.id);
          else local.set(spec.id, found);
        }),
      );
    },

    list: () =>
      PROVIDERS.map((spec) => {
        const found = accessOf(spec);
        const address = found?.access.address;
        return {
          id: spec.id,
          name: spec.name,
          source: found?.source,
          needsKey: spec.needsKey,
          keyPage: spec.keyPage,
          needsAddress: spec.needsAddress,
          address: address === undefined ? undefined : withoutSecrets(address),
          models: modelsOf(spec).map((model) => {
            const id = `${spec.id}:${model}`;
            const sees = seesPictures(id);
            return { id, label: model, sees };
          }),
        };
      }),

    chosen() {
      const requested = env["TREADLE_MODEL"]?.trim();
      if (requested) return requested;
      for (const spec of PROVIDERS) {
        const [first] = modelsOf(spec);
        if (first !== undefined && accessOf(spec)) return `${spec.id}:${first}`;
      }
      return undefined;
    },

    async resolve(id) {
      const parsed = parseId(id);
      if ("message" in parsed) return { ok: false, error: parsed };
      const { spec, model } = parsed;
      const found = accessOf(spec);
      if (!found) return { ok: false, error: notSetUp(spec) };
      const mistake = mistakeIn(spec, found);
      if (mistake) return { ok: false, error: mistake };
      try {
        return { ok: true, model: await makeModel(spec, model, found) };
      } catch (error) {
        return { ok: false, error: cannotLoad(spec, error) };
      }
    },

    async test(provider, typed = {}) {
      const spec = findProvider(provider);
      if (!spec) return { ok: false, error: unknownProvider(provider) };
      const { model: requested, ...access } = typed;
      const found = accessOf(
        spec,
        access.key === undefined && access.address === undefined ? keys.get(spec.id) : access,
      );
      if (!found) return { ok: false, error: notSetUp(spec) };
      const mistake = mistakeIn(spec, found);
      if (mistake) return { ok: false, error: mistake };
      const model = requested ?? (await firstModel(spec, found));
      try {
        // Without a list of models, an invalid one is requested: that still reveals a wrong key or a server that is
        // down.
        const asked = await makeModel(spec, model ?? "unnamed", found);
        const failure = await testModel(asked, spec.name);
        if (model === undefined && !(failure && ACCESS_CODES.has(failure.code)))
          return {
            ok: false,
            error: { code: "model-missing", message: `Say which model of ${spec.name} to use.` },
          };
        return failure ? { ok: false, error: failure } : { ok: true, model: `${spec.id}:${model}` };
      } catch (error) {
        return { ok: false, error: cannotLoad(spec, error) };
      }
    },
  };
  return registry;

  async function firstModel(
    spec: ProviderSpec,
    { access }: FoundAccess,
  ): Promise<string | undefined> {
    const [known] = modelsOf(spec);
    if (known !== undefined || access.address === undefined) return known;
    return (await discoverModels({ address: access.address, key: access.key, fetch }))?.[0];
  }
}

/** Finds a mistake in a key or an address before anything is sent: a later failure would be harder to understand. */
function mistakeIn(spec: ProviderSpec, { access, source }: FoundAccess): ModelProblem | undefined {
  // A key becomes a header, which cannot contain typographic quotes or line ends from copied text.
  if (access.key !== undefined && !/^[\x21-\x7e]*$/.test(access.key))
    return {
      code: "key-wrong",
      ...asMessage(sentence("key-malformed", { provider: spec.name })),
    };
  if (access.address === undefined || isWebAddress(access.address)) return undefined;
  const [variable] = spec.addressVariables;
  const provider = spec.name;
  return {
    code: "provider-down",
    ...asMessage(
      source === "environment" && variable !== undefined
        ? sentence("address-malformed-in", { provider, variable })
        : sentence("address-malformed", { provider }),
    ),
  };
}

function isWebAddress(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}

/** Failures because of the key or the server, whichever model is requested. */
const ACCESS_CODES = new Set(["key-wrong", "provider-down", "quota", "stalled"]);

/** Environment variables with secrets that sign requests, beside the key. */
const SIGNING = ["AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"];

async function makeModel(
  spec: ProviderSpec,
  model: string,
  { access }: FoundAccess,
): Promise<Model> {
  const { fetch, key, env } = access;
  const secrets = [key, ...SIGNING.map((name) => env[name])].filter((one) => one !== undefined);
  const create = await spec.load({ ...access, fetch: providerFetch(fetch, secrets) });
  const price = findPrice(spec.id, model);
  return {
    id: `${spec.id}:${model}`,
    providerName: spec.name,
    hasAddress: access.address !== undefined || spec.local !== undefined,
    languageModel: withWire(create(model)),
    dialect: "native",
    takesTemperature: true,
    maxOutputTokens: spec.maxOutputTokens,
    ...price,
  };
}

function parseId(id: string): { spec: ProviderSpec; model: string } | ModelProblem {
  const colon = id.indexOf(":");
  if (colon < 1 || colon === id.length - 1)
    return {
      code: "model-unknown",
      ...asMessage(sentence("model-name-malformed", { id })),
    };
  const spec = findProvider(id.slice(0, colon));
  return spec ? { spec, model: id.slice(colon + 1) } : unknownProvider(id.slice(0, colon));
}

function unknownProvider(id: string): ModelProblem {
  const known = PROVIDERS.map((provider) => provider.id);
  return {
    code: "model-unknown",
    ...asMessage(sentence("provider-not-known", { id, known })),
  };
}

function notSetUp(spec: ProviderSpec): ModelProblem {
  if (spec.local !== undefined)
    return {
      code: "provider-down",
      ...asMessage(
        sentence("local-provider-missing", { provider: spec.name, address: spec.local }),
      ),
    };
  const what = spec.needsAddress ? "provider-address-unset" : "provider-key-unset";
  const variable = (spec.needsAddress ? spec.addressVariables : spec.keyVariables)[0] ?? "";
  return {
    code: spec.needsAddress ? "model-missing" : "key-wrong",
    ...asMessage(sentence(what, { provider: spec.name, variable })),
  };
}

function cannotLoad(spec: ProviderSpec, error: unknown): ModelProblem {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    code: "internal",
    ...asMessage(sentence("provider-unusable", { provider: spec.name, why: reason })),
  };
}

/** Removes user name, password and query from an address. */
function withoutSecrets(address: string): string {
  try {
    const url = new URL(address);
    url.username = "";
    url.password = "";
    url.search = "";
    return url.href.replace(/\/$/, "");
  } catch {
    return "";
  }
}
