import type { Body } from "./person.ts";

/** Plausible values for fields with these names. */
export function fillFields(names: readonly string[], text: string): Body["fields"] {
  return Object.fromEntries(names.map((name) => [name, valueOf(name, text)]));
}

function valueOf(name: string, text: string): string | number | boolean {
  if (/e-?mail/i.test(name)) return `${text}@example.com`;
  if (/(?:_at|_on|date|day|deadline|due)$|(?:^|_)(?:start|end)$/i.test(name) || /[a-z](?:At|On|Start|End)$/.test(name)) return "2030-01-01"; // prettier-ignore
  if (/^(?:done|completed?|checked|active|is[A-Z_]\w*|has[A-Z_]\w*|public|published|archived|pinned)$/i.test(name)) return false; // prettier-ignore
  if (/(?:price|amount|count|quantity|qty|number|age|year|rating|priority|position|order|cents|total|minutes|hours)$/i.test(name)) return 1; // prettier-ignore
  if (/(?:url|link|href|website)$/i.test(name)) return `https://example.com/${text}`;
  if (/colou?r$/i.test(name)) return "#336699";
  return text;
}

/** Fields of a form in a page, hidden ones with their values. */
export interface PageForm {
  action: string;
  method: string;
  fields: Record<string, string>;
}

/** Maximum number of characters in which forms are searched. */
const MOST_READ = 300_000;

export function formsIn(html: string, path: string): PageForm[] {
  return html
    .slice(0, MOST_READ)
    .split(/<form\b/i)
    .slice(1, 30)
    .map((part) => {
      const end = part.search(/<\/form>/i);
      const form = end < 0 ? part : part.slice(0, end);
      const opening = form.slice(0, form.indexOf(">"));
      const fields: Record<string, string> = {};
      for (const [input] of form.matchAll(/<(?:input|textarea|select)\b[^>]{0,1000}>/gi)) {
        const name = attribute(input, "name");
        if (name !== undefined) fields[name] = attribute(input, "value") ?? "";
      }
      return {
        action: attribute(opening, "action") || path,
        method: (attribute(opening, "method") ?? "get").toUpperCase(),
        fields,
      };
    });
}

const attribute = (tag: string, name: string) => {
  const [, double, single, bare] =
    new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(tag) ?? [];
  return (double ?? single ?? bare)?.replaceAll("&amp;", "&").replaceAll("&quot;", '"');
};
