/** Whether a body is a page, behind any comments. By hand: a pattern for it takes time without end over comments that never end (A78). */
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
