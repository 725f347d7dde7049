/** Providers with another name in bolt.diy. */
const PROVIDERS = new Map([
  ["openailike", "openai-compatible"],
  ["amazonbedrock", "bedrock"],
]);

const plainName = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/**
 * The id of the provider that a bolt client names; a normalised form of the name if there is none.
 */
export function providerMeant(
  providers: readonly { id: string; name: string }[],
  name: string,
): string {
  const named = plainName(name);
  const ours = providers.find((one) => [one.id, one.name].map(plainName).includes(named));
  return ours?.id ?? PROVIDERS.get(named) ?? named;
}
