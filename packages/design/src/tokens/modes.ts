import type { Block, Scope } from "../sheets/declarations.ts";

/** Selectors of a page's root, and of its body, on which projects set tokens for the whole page. */
const ROOT = /^(?::root|html|body|:host|:global\((?::root|html|body)\))$/;

/** Whether a block sets tokens for the whole page at all times. */
const isRoot = ({ selectors, isNested }: Scope): boolean =>
  !isNested && selectors.length > 0 && selectors.every((one) => ROOT.test(one));

const isTailwindTheme = ({ selectors, around }: Scope): boolean =>
  selectors.length === 0 && /^@theme\b/.test(around.at(-1) ?? "");

const SYSTEM = /^@media \(\s*prefers-color-scheme\s*:\s*(dark|light)\s*\)$/;

/** The colour scheme of the system for which a scope holds; undefined if for any, null if for something else as well. */
function systemScheme({ around }: Scope): "dark" | "light" | undefined | null {
  const conditions = around.filter((one) => !/^@(?:layer|theme)\b/.test(one));
  if (conditions.length === 0) return undefined;
  const [, scheme] = SYSTEM.exec(conditions[0]!) ?? [];
  return conditions.length === 1 && scheme ? (scheme as "dark" | "light") : null;
}

/** A single class or attribute, of the root or of anything. */
const SWITCH = /^(?::root|html|body|\*)?(?:\.[\w-]+|\[[^\]]*\])$/;

const isToken = ({ property }: { property: string }) => property.startsWith("--");

/**
 * The mode in which a block sets tokens; undefined if it sets none for a whole page.
 * @param base names of the tokens that are set without a condition. A block below a class is a mode if it sets some of
 * those again, and nothing else but the colour scheme.
 */
export function modeOf(
  { scope, declarations }: Block,
  base: ReadonlySet<string>,
): string | undefined {
  const scheme = systemScheme(scope);
  if (scheme === null || !declarations.some(isToken)) return undefined;
  if (isTailwindTheme(scope) || isRoot(scope)) return scheme ?? "base";
  if (scheme !== undefined || scope.isNested || scope.selectors.length === 0) return undefined;
  if (!scope.selectors.every((one) => SWITCH.test(one))) return undefined;
  const isOnlyTokens = declarations.every((one) => isToken(one) || one.property === "color-scheme");
  const again = declarations.filter(({ property }) => base.has(property)).length;
  return isOnlyTokens && again >= Math.min(2, base.size) && again > 0
    ? scope.selectors.join(", ")
    : undefined;
}

/** Whether a block is Tailwind's own, which makes class names of its tokens. */
export const isThemeBlock = ({ scope }: Block): boolean => isTailwindTheme(scope);

/** Whether a block is a rule for a page's root or body. */
export const isRootRule = ({ scope }: Block): boolean => isRoot(scope);
