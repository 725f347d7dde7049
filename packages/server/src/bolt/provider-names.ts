/** Providers as bolt.diy names them, where they have another name here. */
const PROVIDERS = new Map([
  ["openailike", "openai-compatible"],
  ["amazonbedrock", "bedrock"],
]);

const plainName = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** The id of the provider that a client of bolt's means; a plain form of its name where none of ours is called so. */
export function providerMeant(
  providers: readonly { id: string; name: string }[],
  name: string,
): string {
  const named = plainName(name);
  const ours = providers.find((one) => [one.id, one.name].map(plainName).includes(named));
  return ours?.id ?? PROVIDERS.get(named) ?? named;
}
