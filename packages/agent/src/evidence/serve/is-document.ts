/**
 * Whether a body is an HTML page after any leading comments.
 * Parsed by hand, because a pattern would backtrack without end over unclosed comments (A78).
 */
export function isDocument(body: string): boolean {
  let at = 0;
  for (;;) {
    while (/\s/.test(body.charAt(at))) at++;
    if (!body.startsWith("<!--", at)) break;
    const end = body.indexOf("-->", at + 4);
    if (end === -1) return false;
    at = end + 3;
  }
  return /^<(?:!doctype html|html)\b/i.test(body.slice(at, at + 20));
}
