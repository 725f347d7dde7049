/** A sentence that announces what is only shown. */
export const EXAMPLE =
  /\b(?:examples?|e\.g\.|for instance|samples?|snippets?|usage|looks? like|similar to|such as)\b/i;
/** The same, said in a way that means nothing else, also in other languages. */
export const FOR_EXAMPLE =
  /\b(?:for (?:example|instance)|e\.g\.|por (?:ejemplo|exemplo)|par exemple|zum beispiel|ad esempio|bijvoorbeeld|na przykład|mesela)(?!\w)|örneğin|например|例如|比如|譬如|示例|例子|范例|格式如下|例えば|たとえば|예를 들[어면]|예시|مثال|उदाहरण/i;
/** Languages of fences in which something is shown: a difference, a transcript. */
export const SHOWN = /^(?:diff|patch|console|output|log)\b/i;

/** Whether a value stands for one that was left out, as in an example. A long one is not looked at: it may be in pieces yet. */
export const isLeftOut = (value: string): boolean =>
  value.length < 64 && ["...", "…"].includes(value.trim());
/** What is said of it to the model. */
export const LEFT_OUT = "It says only “…”. Write it whole.";
