import { isTokenName } from "../sheets/values.ts";

/** The custom property for a token's path: `["Brand", "primaryText"]` is `--brand-primary-text`. */
export function tokenName(path: readonly string[]): string | undefined {
  const words = path.map((part) =>
    part
      .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1-$2")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-|-$/g, ""),
  );
  const name = `--${words.filter((word) => word !== "").join("-")}`;
  return isTokenName(name) ? name : undefined;
}
