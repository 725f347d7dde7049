import {
  snippetCompletion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { linter, lintGutter } from "@codemirror/lint";
import { Compartment, EditorState, StateEffect } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { checkMarks, stepExamples, templateOf, typedStep } from "./check-marks.ts";
import { languageTheme } from "./language-theme.ts";

/** After the last key, in milliseconds. */
const MARK_AFTER_MS = 300;

/**
 * Helps with the project's file of checks: what cannot be read is marked as it is typed, with the nearest form, and where a
 * step begins the forms of steps are offered.
 * @returns what takes it away
 */
export function helpWithChecks(view: EditorView): () => void {
  const help = new Compartment();
  const extensions = [
    linter(
      ({ state }) =>
        checkMarks(state.doc.toString()).map((mark) => ({ ...mark, severity: "error" as const })),
      { delay: MARK_AFTER_MS },
    ),
    lintGutter(),
    EditorState.languageData.of(() => [{ autocomplete: completeStep }]),
    languageTheme,
  ];
  view.dispatch({ effects: StateEffect.appendConfig.of(help.of(extensions)) });
  return () => view.dispatch({ effects: help.reconfigure([]) });
}

function completeStep({ state, pos, explicit }: CompletionContext): CompletionResult | null {
  const line = state.doc.lineAt(pos);
  const typed = typedStep(line.text.slice(0, pos - line.from));
  // Behind its first words a step has names of the app, which nothing here knows.
  if (typed === undefined || (typed === "" && !explicit) || typed.includes('"')) return null;
  return {
    from: pos - typed.length,
    options: stepExamples().map((example) =>
      snippetCompletion(templateOf(example), { label: example }),
    ),
    validFor: /^[^"]*$/,
  };
}
