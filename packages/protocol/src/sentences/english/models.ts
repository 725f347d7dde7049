import type { Value } from "../types.ts";

/** Written by `catalogues/write-values.ts` of the page from its English catalogue. */
export const MODELS = {
  "model-missing": () =>
    "No model is set up yet, so nothing can answer. Add one: type a provider's key under “Choose a model”, set a key such as ANTHROPIC_API_KEY or OPENAI_API_KEY and start Treadle again, or start Ollama or LM Studio on this machine. Your text was not sent and is still there.",
  "model-missing-for-recording": () =>
    "This is a recording and cannot answer anything new. To go on with this project, add a model: type a provider's key under “Choose a model”, set a key such as ANTHROPIC_API_KEY or OPENAI_API_KEY and start Treadle again, or start Ollama or LM Studio on this machine.",
  "model-missing-for-text": () =>
    "No model is set up yet that could do this. The text stays as it is.",
  "provider-unknown": ({ provider }: { provider: Value }) => `There is no provider “${provider}”.`,
  "model-not-allowed": ({ model }: { model: Value }) =>
    `You may not use ${model} on this server. Choose another model, or ask an administrator.`,
  "provider-key-missing": ({ name }: { name: Value }) => `Type a key for ${name}.`,
  "provider-address-missing": ({ name }: { name: Value }) =>
    `${name} needs an address, for example http://127.0.0.1:8000/v1.`,
  "provider-address-invalid": () => "An address begins with http:// or https://.",
  "cache-unknown": ({ cache, model, offered }: { cache: Value; model: Value; offered: Value }) =>
    `${model} takes no cache setting “${cache}”. It takes: ${offered}. Nothing was sent.`,
  "cache-not-settable": ({ model }: { model: Value }) =>
    `The provider of ${model} takes no setting for its cache. Nothing was sent.`,
  "answer-limit": ({ count, unit }: { count: number; unit: Value }) =>
    `The model's answer had more than ${count.toLocaleString("en")} ${unit === "blocks" ? "blocks of text" : unit === "calls" ? "tool calls" : unit === "megabytes" ? "MB" : unit === "piece" ? "MB in one piece" : unit === "argument" ? "characters in one tool call" : "characters"}, so it was ended there. What was whole is kept. Ask for less at once, or choose another model.`,
  "model-stalled": ({ seconds }: { seconds: number }) =>
    `The model sent nothing for ${seconds.toLocaleString("en")} seconds. Nothing of what was unfinished has been done.`,
  "answer-cut": ({ provider }: { provider: Value }) =>
    `The answer of ${provider} broke off. What was unfinished has not been done.`,
  "provider-without-key": ({ provider }: { provider: Value }) =>
    `There is no key for ${provider}. Add one under the model's name or in the environment.`,
  "model-not-offered": ({ model, provider }: { model: Value; provider: Value }) =>
    `${provider} has no model called ${model}.`,
  "provider-closed": ({ provider }: { provider: Value }) =>
    `${provider} closed the connection before it answered.`,
  "provider-unreachable": ({ provider, why }: { provider: Value; why: Value }) =>
    `${provider} cannot be reached (${why}). Check its address and that it runs.`,
  "provider-unreachable-from-here": ({ provider, why }: { provider: Value; why: Value }) =>
    `${provider} cannot be reached from this machine (${why}). Check its connection to the internet; the key was not checked.`,
  "provider-quota": ({ provider }: { provider: Value }) =>
    `${provider} refuses because the account has no credit left. Add credit there, or choose another model.`,
  "provider-context-overflow": () =>
    "The conversation no longer fits into this model. Choose one with a larger context, or begin a new project from this one.",
  "provider-overloaded": ({ provider }: { provider: Value }) =>
    `${provider} is overloaded. Try again in a moment, or choose another model.`,
  "provider-rate-limited": ({ provider }: { provider: Value }) =>
    `${provider} limits the rate of requests. Try again later, or choose another model.`,
  "provider-key-wrong": ({ provider }: { provider: Value }) =>
    `${provider} did not accept the key. Check it under the model's name or in the environment.`,
  "provider-model-unknown": ({ provider }: { provider: Value }) =>
    `${provider} does not know this model. Choose another one.`,
  "provider-problem": ({ provider }: { provider: Value }) =>
    `${provider} has a problem on its side.`,
  "provider-refused": ({ provider }: { provider: Value }) => `${provider} refused the request.`,
  "with-provider-words": ({ quoted, what }: { quoted: Value; what: Value }) =>
    `${what} It said: ${quoted}`,
  "key-malformed": ({ provider }: { provider: Value }) =>
    `The key for ${provider} contains a space or a character that no key has. Copy it again, without anything around it.`,
  "address-malformed": ({ provider }: { provider: Value }) =>
    `The address for ${provider} is not a web address: it has to begin with http:// or https://.`,
  "address-malformed-in": ({ provider, variable }: { provider: Value; variable: Value }) =>
    `The address for ${provider} in ${variable} is not a web address: it has to begin with http:// or https://.`,
  "model-name-malformed": ({ id }: { id: Value }) =>
    `“${id}” is not a model: write it as provider:model, for example anthropic:claude-sonnet-5-5.`,
  "provider-not-known": ({ id, known }: { id: Value; known: Value }) =>
    `There is no provider called “${id}”. There are: ${known}.`,
  "local-provider-missing": ({ address, provider }: { address: Value; provider: Value }) =>
    `${provider} was not found on this machine (${address}). Start it, or choose another model.`,
  "provider-key-unset": ({ provider, variable }: { provider: Value; variable: Value }) =>
    `There is no key for ${provider}. Set ${variable}, or type it on Treadle's page, under the model's name.`,
  "provider-address-unset": ({ provider, variable }: { provider: Value; variable: Value }) =>
    `There is no address for ${provider}. Set ${variable}, or type it on Treadle's page, under the model's name.`,
  "provider-unusable": ({ provider, why }: { provider: Value; why: Value }) =>
    `${provider} cannot be used: ${why}`,
};
