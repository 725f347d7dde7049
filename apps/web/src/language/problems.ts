import { linter, lintGutter, type Diagnostic } from "@codemirror/lint";
import { LSPPlugin } from "@codemirror/lsp-client";
import { StateEffect, type Extension } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type {
  DocumentDiagnosticParams,
  DocumentDiagnosticReport,
  Diagnostic as ServerDiagnostic,
} from "vscode-languageserver-protocol";
import { withoutMissingTypes } from "./missing-types.ts";
import { rangeOf } from "./text-edits.ts";

/** Delay after the last key, in milliseconds. */
const ASK_AFTER_MS = 500;
/** Maximum number of problems marked; more would make the editor stutter. */
const MAX_PROBLEMS = 500;
/** Maximum characters of a problem's message; some types fill pages. */
const MAX_MESSAGE_CHARS = 2_000;

const asked = StateEffect.define<null>();

/** Requests the problems again, because those shown may be outdated. */
export const askForProblems = (view: EditorView): void =>
  view.dispatch({ effects: asked.of(null) });

/**
 * Marks the language server's problems a moment after the last key. @param canAsk whether the server answers requests
 * for problems without announcing it
 */
export const problemMarks = (canAsk: boolean): Extension => [
  linter((view) => problemsOf(view, canAsk), {
    delay: ASK_AFTER_MS,
    needsRefresh: ({ transactions }) =>
      transactions.some(({ effects }) => effects.some((effect) => effect.is(asked))),
  }),
  lintGutter(),
];

async function problemsOf(view: EditorView, canAsk: boolean): Promise<Diagnostic[]> {
  const plugin = LSPPlugin.get(view);
  if (!plugin || !(canAsk || plugin.client.serverCapabilities?.diagnosticProvider)) return [];
  plugin.client.sync();
  const { doc } = view.state;
  const report = await plugin.client
    .request<DocumentDiagnosticParams, DocumentDiagnosticReport>("textDocument/diagnostic", {
      textDocument: { uri: plugin.uri },
    })
    .catch(() => undefined);
  const items = report?.kind === "full" && Array.isArray(report.items) ? report.items : [];
  return withoutMissingTypes(items)
    .slice(0, MAX_PROBLEMS)
    .flatMap((item): Diagnostic[] => {
      const place = rangeOf(doc, item?.range);
      if (!place || typeof item.message !== "string") return [];
      return [
        {
          ...place,
          severity: severityOf(item),
          message: item.message.slice(0, MAX_MESSAGE_CHARS),
          source: typeof item.source === "string" ? item.source : undefined,
          // Unused code is shown paler; it is not an error.
          markClass: item.tags?.includes(1) ? "cm-unused" : undefined,
        },
      ];
    });
}

const severityOf = ({ severity }: ServerDiagnostic): Diagnostic["severity"] =>
  severity === 1 ? "error" : severity === 2 ? "warning" : severity === 3 ? "info" : "hint";
