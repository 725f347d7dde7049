import type { LanguageModelV4 } from "@ai-sdk/provider";

/** The key, the address and other means to reach a provider. */
export interface Access {
  key?: string;
  address?: string;
  fetch?: typeof globalThis.fetch;
  env: Record<string, string | undefined>;
}

export interface ProviderSpec {
  id: string;
  /** The display name. */
  name: string;
  keyVariables: string[];
  addressVariables: string[];
  needsKey: boolean;
  /** The provider's page on which a person creates a key; absent if it has none. */
  keyPage?: string;
  needsAddress: boolean;
  /** The address at which to look for a server on this machine. */
  local?: string;
  /** Maximum tokens to request for one answer, if the provider's default is too small for a file. */
  maxOutputTokens?: number;
  /** Well-known models; the first is the default. Any other id may be entered. */
  models: string[];
  /** Loads the provider's library on first use, and returns a function that creates models by id. */
  load(access: Access): Promise<(model: string) => LanguageModelV4>;
}

/** Adds the version to an address without a path: `http://host:1234` means `http://host:1234/v1`. */
function versioned(address: string): string {
  const url = new URL(address);
  return url.pathname === "/" ? `${url.origin}/v1` : address.replace(/\/+$/, "");
}

function settings({ key, address, fetch }: Access) {
  return {
    apiKey: key,
    baseURL: address === undefined ? undefined : versioned(address),
    fetch,
  };
}

/** Loads the library for servers with the Chat Completions API; `includeUsage` makes them report tokens. */
async function chatCompletions(name: string, access: Access, address: string) {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const provider = createOpenAICompatible({
    ...settings(access),
    baseURL: versioned(access.address ?? address),
    name,
    includeUsage: true,
  });
  return (model: string) => provider.chatModel(model);
}

/** All usable providers, in display order, which is also the order of preference if nobody chose one. */
export const PROVIDERS: readonly ProviderSpec[] = [
  {
    id: "anthropic",
    name: "Anthropic",
    keyVariables: ["ANTHROPIC_API_KEY"],
    addressVariables: ["ANTHROPIC_BASE_URL"],
    needsKey: true,
    keyPage: "https://console.anthropic.com/settings/keys",
    needsAddress: false,
    // For a model that the library does not know it would request 4,096; every current one can give this much.
    maxOutputTokens: 32_000,
    models: ["claude-sonnet-5-5", "claude-opus-5-5", "claude-haiku-5-5"],
    async load(access) {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic(settings(access));
    },
  },
  {
    id: "openai",
    name: "OpenAI",
    keyVariables: ["OPENAI_API_KEY"],
    addressVariables: ["OPENAI_BASE_URL"],
    needsKey: true,
    keyPage: "https://platform.openai.com/api-keys",
    needsAddress: false,
    models: ["gpt-6.1-sol", "gpt-6.1-terra", "gpt-5.6"],
    async load(access) {
      const { createOpenAI } = await import("@ai-sdk/openai");
      const provider = createOpenAI(settings(access));
      return (model) => provider.responses(model);
    },
  },
  {
    id: "google",
    name: "Google",
    keyVariables: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
    addressVariables: [],
    needsKey: true,
    keyPage: "https://aistudio.google.com/apikey",
    needsAddress: false,
    models: ["gemini-pro-latest", "gemini-flash-latest"],
    async load({ key, address, fetch }) {
      const { createGoogle } = await import("@ai-sdk/google");
      return createGoogle({
        apiKey: key,
        baseURL: address,
        fetch,
      });
    },
  },
  {
    id: "mistral",
    name: "Mistral",
    keyVariables: ["MISTRAL_API_KEY"],
    addressVariables: [],
    needsKey: true,
    keyPage: "https://console.mistral.ai/api-keys",
    needsAddress: false,
    models: ["mistral-large-latest", "mistral-medium-latest", "codestral-latest"],
    async load(access) {
      const { createMistral } = await import("@ai-sdk/mistral");
      return createMistral(settings(access));
    },
  },
  {
    id: "xai",
    name: "xAI",
    keyVariables: ["XAI_API_KEY"],
    addressVariables: [],
    needsKey: true,
    keyPage: "https://console.x.ai",
    needsAddress: false,
    models: ["grok-latest", "grok-4.7"],
    async load(access) {
      const { createXai } = await import("@ai-sdk/xai");
      return createXai(settings(access));
    },
  },
  {
    id: "deepseek",
    name: "DeepSeek",
    keyVariables: ["DEEPSEEK_API_KEY"],
    addressVariables: [],
    needsKey: true,
    keyPage: "https://platform.deepseek.com/api_keys",
    needsAddress: false,
    models: ["deepseek-v4-pro", "deepseek-v4-flash"],
    async load(access) {
      const { createDeepSeek } = await import("@ai-sdk/deepseek");
      return createDeepSeek(settings(access));
    },
  },
  {
    id: "groq",
    name: "Groq",
    keyVariables: ["GROQ_API_KEY"],
    addressVariables: [],
    needsKey: true,
    keyPage: "https://console.groq.com/keys",
    needsAddress: false,
    models: ["openai/gpt-oss-120b", "openai/gpt-oss-20b"],
    async load({ key, address, fetch }) {
      const { createGroq } = await import("@ai-sdk/groq");
      return createGroq({
        apiKey: key,
        baseURL: address,
        fetch,
      });
    },
  },
  {
    id: "openrouter",
    name: "OpenRouter",
    keyVariables: ["OPENROUTER_API_KEY"],
    addressVariables: [],
    needsKey: true,
    keyPage: "https://openrouter.ai/settings/keys",
    needsAddress: false,
    models: ["anthropic/claude-sonnet-5.5", "openai/gpt-5.6", "google/gemini-pro-latest"],
    async load({ key, address, fetch }) {
      const { createOpenRouter } = await import("@openrouter/ai-sdk-provider");
      const provider = createOpenRouter({
        apiKey: key,
        baseURL: address,
        fetch,
      });
      return (model) => provider.chat(model);
    },
  },
  {
    id: "bedrock",
    name: "Amazon Bedrock",
    keyVariables: ["AWS_BEARER_TOKEN_BEDROCK", "AWS_ACCESS_KEY_ID"],
    addressVariables: [],
    needsKey: true,
    keyPage: "https://console.aws.amazon.com/bedrock/home#/api-keys",
    needsAddress: false,
    models: ["us.anthropic.claude-sonnet-5-5", "us.amazon.nova-pro-v1:0"],
    async load({ key, env, fetch }) {
      const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
      const {
        AWS_ACCESS_KEY_ID: id,
        AWS_SECRET_ACCESS_KEY: secret,
        AWS_SESSION_TOKEN: session,
      } = env;
      const signed = id !== undefined && secret !== undefined && key === id;
      return createAmazonBedrock({
        region: env["AWS_REGION"] ?? "us-east-1",
        ...(signed
          ? {
              accessKeyId: id,
              secretAccessKey: secret,
              sessionToken: session || undefined,
            }
          : key === undefined
            ? {}
            : { apiKey: key }),
        fetch,
      });
    },
  },
  {
    id: "openai-compatible",
    name: "OpenAI-compatible server",
    keyVariables: ["OPENAI_API_KEY"],
    addressVariables: ["OPENAI_BASE_URL"],
    needsKey: false,
    needsAddress: true,
    models: [],
    load: (access) => chatCompletions("openai-compatible", access, "http://127.0.0.1:8000/v1"),
  },
  {
    id: "ollama",
    name: "Ollama",
    keyVariables: [],
    addressVariables: ["OLLAMA_BASE_URL"],
    needsKey: false,
    needsAddress: false,
    local: "http://127.0.0.1:11434",
    models: [],
    load: (access) => chatCompletions("ollama", access, "http://127.0.0.1:11434/v1"),
  },
  {
    id: "lmstudio",
    name: "LM Studio",
    keyVariables: [],
    addressVariables: ["LMSTUDIO_BASE_URL"],
    needsKey: false,
    needsAddress: false,
    local: "http://127.0.0.1:1234",
    models: [],
    load: (access) => chatCompletions("lmstudio", access, "http://127.0.0.1:1234/v1"),
  },
];

export function findProvider(id: string): ProviderSpec | undefined {
  return PROVIDERS.find((provider) => provider.id === id);
}
