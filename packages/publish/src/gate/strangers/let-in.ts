import type { Answer } from "./ask.ts";

export const ADMIN =
  /(?:^|\/)(?:(?:\w{1,20}[-_]|_)?admin(?:istrat(?:or|ion))?(?:[-_]?(?:panel|area|page|dashboard|console|ui|users|tools))?|back-?office|internal|superuser)(?:\.\w{1,5})?(?:\/|$)/i;
/** An address that no app has. */
export const NOWHERE = "/no-such-page-is-here-4d1f";
export const SIGN_IN =
  /type\s{0,3}[=:]\s{0,3}["'`]?password|\b(?:sign|log)[ -]?in\b|\banmelden\b|\beinloggen\b|connexion|se connecter|iniciar sesi|\baccedi\b|\binloggen\b|войти|ログイン|登录/i;
export const REFUSED =
  /\b(?:denied|forbidden|(?:un|not )authori[sz]ed|not allowed|no access|permissions?|privileges|(?:need|have) to be|must be|restricted|reserved for|(?:only for|only) (?:admin|moderator|staff|member)s?)\b/i;
/** Maximum depth of searched objects; of each list the first hundred items are searched. */
export const DEEP = 6;
export const LONG = 100;
export function jsonOf({ headers, text }: Answer): unknown {
  if (!/\bjson\b/i.test(headers["content-type"] ?? "") && !/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Whether the data says more than that nobody is signed in: not `{ "user": null }` or `{ "error": …
 * }`.
 */
export function saysAnything(data: unknown, depth = 0): boolean {
  if (typeof data !== "object" || data === null || Array.isArray(data) || depth > DEEP)
    return data !== null && data !== false && data !== "";
  return Object.entries(data).some(
    ([name, value]) =>
      !/^(?:error|message|detail|reason|code|status(?:_?code)?|title|type|ok|success|csrf\w{0,20})$/i.test(
        name,
      ) && // prettier-ignore
      saysAnything(value, depth + 1),
  );
}
