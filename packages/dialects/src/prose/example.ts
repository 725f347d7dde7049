/** A sentence that announces an example. */
export const EXAMPLE =
  /\b(?:examples?|e\.g\.|for instance|samples?|snippets?|usage|looks? like|similar to|such as)\b/i;
/** Unambiguous announcements, also in other languages. */
export const FOR_EXAMPLE =
  /\b(?:for (?:example|instance)|e\.g\.|por (?:ejemplo|exemplo)|par exemple|zum beispiel|ad esempio|bijvoorbeeld|na przykład|mesela)(?!\w)|örneğin|например|例如|比如|譬如|示例|例子|范例|格式如下|例えば|たとえば|예를 들[어면]|예시|مثال|उदाहरण/i;
/** Languages of fences that only show something: a diff, a transcript. */
export const SHOWN = /^(?:diff|patch|console|output|log)\b/i;

/**
 * Whether a value is a placeholder for an omitted one, as in an example. A long one is not examined, as it may still be
 * incomplete.
 */
export const isLeftOut = (value: string): boolean =>
  value.length < 64 && ["...", "…"].includes(value.trim());
/** The message to the model about such a value. */
export const LEFT_OUT = "It says only “…”. Write it whole.";
