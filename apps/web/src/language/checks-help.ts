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

/** Delay after the last key, in milliseconds. */
const MARK_AFTER_MS = 300;

/**
 * Adds help for the project's checks file: marks lines that cannot be parsed, with the closest valid form, and completes
 * steps.
 * @returns a function that removes it
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
  // After its first words, a step contains names of the app, which are unknown here.
  if (typed === undefined || (typed === "" && !explicit) || typed.includes('"')) return null;
  return {
    from: pos - typed.length,
    options: stepExamples().map((example) =>
      snippetCompletion(templateOf(example), { label: example }),
    ),
    validFor: /^[^"]*$/,
  };
}
