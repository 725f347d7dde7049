const ATTRIBUTE = /([^\s=/>"'<]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/g;

/** A meta tag with its policy rewritten, if it contains one; otherwise unchanged. */
export function admitInMeta(tag: string, rewrite: (policy: string) => string): string {
  const attributes = [...tag.slice("<meta".length, -1).matchAll(ATTRIBUTE)].map(
    ([tag, name = "", ...values]) => ({
      tag,
      name: name.toLowerCase(),
      value: unescape(values.find((value) => value !== undefined) ?? ""),
    }),
  );
  const kind = attributes
    .find(({ name }) => name === "http-equiv")
    ?.value.trim()
    .toLowerCase();
  const content = attributes.find(({ name }) => name === "content");
  if (kind !== "content-security-policy" || content === undefined) return tag;
  const written = `content="${escape(rewrite(content.value))}"`;
  return tag.replace(content.tag, () => written);
}

const NAMED: Record<string, string> = { amp: "&", apos: "'", quot: '"', lt: "<", gt: ">" };

function unescape(text: string): string {
  return text.replace(
    /&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|([a-z]+));?/gi,
    (entity, ten, hex, name) => {
      const named = NAMED[String(name).toLowerCase()];
      if (name !== undefined) return named ?? entity;
      return String.fromCodePoint(ten === undefined ? Number.parseInt(hex, 16) : Number(ten));
    },
  );
}

const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
