import type { ProviderInfo } from "@treadle/protocol";
import type { Access, ProviderSpec } from "./provider-specs.ts";

/** The key and address that a person entered for a provider. */
export interface ProviderKey {
  key?: string;
  address?: string;
}

export interface FoundAccess {
  access: Access;
  source: NonNullable<ProviderInfo["source"]>;
}

/**
 * Finds a provider's key and address: those that a person entered, else those in the environment, else a server found
 * on this machine. The sources are never mixed: a key of the environment is not sent to an address that was entered.
 */
export function findAccess(
  spec: ProviderSpec,
  options: {
    env: Record<string, string | undefined>;
    typed: ProviderKey | undefined;
    /** Whether the provider's local server answered. */
    local: boolean;
    fetch: typeof globalThis.fetch | undefined;
  },
): FoundAccess | undefined {
  const { env, typed, local, fetch } = options;
  const common = { env, fetch };
  const isComplete = (access: ProviderKey) =>
    (!spec.needsKey || access.key !== undefined || access.address !== undefined) &&
    (!spec.needsAddress || access.address !== undefined);

  if (typed && (typed.key !== undefined || typed.address !== undefined)) {
    const access = { ...common, ...typed };
    if (isComplete(access)) return { access: withSomeKey(spec, access), source: "page" };
  }
  const key = firstOf(spec.keyVariables, env);
  const address = firstOf(spec.addressVariables, env);
  if (key !== undefined || address !== undefined) {
    const access = { ...common, key: key || undefined, address: address || undefined };
    if (isComplete(access)) return { access: withSomeKey(spec, access), source: "environment" };
  }
  return local && spec.local !== undefined
    ? { access: { ...common, address: spec.local }, source: "found" }
    : undefined;
}

/** A self-hosted server often needs no key, but the provider's library requires one. */
function withSomeKey(spec: ProviderSpec, access: Access): Access {
  return spec.needsKey && access.key === undefined ? { ...access, key: "none" } : access;
}

function firstOf(names: string[], env: Record<string, string | undefined>): string | undefined {
  return names
    .map((name) => env[name]?.trim())
    .find((value) => value !== undefined && value !== "");
}
