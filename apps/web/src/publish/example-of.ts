import type { PlaceField, TargetId } from "@treadle/protocol";

const EXAMPLES: { [Field in PlaceField]?: string } = {
  repository: "https://github.com/ada/shop.git",
  branch: "treadle-release",
  server: "https://paas.example.com",
  image: "ghcr.io/ada/shop",
  folder: "user@example.com:/var/www/site",
  address: "https://shop.example.com",
};

/** The placeholder of a field: an example, or the default value of an optional one; undefined if there is none. */
export function exampleOf(target: TargetId, field: PlaceField): string | undefined {
  if (target === "github-pages")
    return { repository: "ada/shop", branch: "gh-pages" }[field as string];
  return EXAMPLES[field];
}
