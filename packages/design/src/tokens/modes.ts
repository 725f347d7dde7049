import type { Block, Scope } from "../sheets/declarations.ts";

/** Matches selectors of a page's root and body, on which projects set tokens for the whole page. */
const ROOT = /^(?::root|html|body|:host|:global\((?::root|html|body)\))$/;

/** Whether a block styles the root or body of the page, apart from media queries around it. */
const isRoot = ({ selectors, isNested }: Scope): boolean =>
  !isNested && selectors.length > 0 && selectors.every((one) => ROOT.test(one));

const isTailwindTheme = ({ selectors, around }: Scope): boolean =>
  selectors.length === 0 && /^@theme\b/.test(around.at(-1) ?? "");

const SYSTEM = /^@media \(\s*prefers-color-scheme\s*:\s*(dark|light)\s*\)$/;

/**
 * The colour scheme of the system for which a scope applies; undefined if it applies to both, null if it has other
 * conditions.
 */
function systemScheme({ around }: Scope): "dark" | "light" | undefined | null {
  const conditions = around.filter((one) => !/^@(?:layer|theme)\b/.test(one));
  if (conditions.length === 0) return undefined;
  const [, scheme] = SYSTEM.exec(conditions[0]!) ?? [];
  return conditions.length === 1 && scheme ? (scheme as "dark" | "light") : null;
}

/** Matches a single class or attribute, on the root or on any element. */
const SWITCH = /^(?::root|html|body|\*)?(?:\.[\w-]+|\[[^\]]*\])$/;

const isToken = ({ property }: { property: string }) => property.startsWith("--");

/**
 * The mode in which a block sets tokens; undefined if it does not set tokens for a whole page.
 * @param base names of the tokens that are set unconditionally. A block for a class is a mode if it sets some of them
 * again, and nothing else except `color-scheme`.
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

/** Whether a block is Tailwind's `@theme`, from whose tokens it generates class names. */
export const isThemeBlock = ({ scope }: Block): boolean => isTailwindTheme(scope);

/** Whether a block is a rule for a page's root or body. */
export const isRootRule = ({ scope }: Block): boolean => isRoot(scope);
