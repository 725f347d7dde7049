import { syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { highlightStyle } from "../language/highlight-style.ts";

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", color: "var(--ink)", backgroundColor: "transparent" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "1.5", overflow: "auto" },
  ".cm-content": { caretColor: "var(--accent)", padding: "8px 0" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--quiet)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 8px 0 12px", minWidth: "40px" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--hover)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { backgroundColor: "color-mix(in srgb, var(--accent) 24%, transparent) !important" },
  ".cm-matchingBracket": { backgroundColor: "color-mix(in srgb, var(--accent) 20%, transparent)" },
  ".cm-panels": {
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    borderColor: "var(--line) !important",
  },
  ".cm-search-own": {
    display: "grid",
    gap: "4px",
    padding: "6px 8px",
    fontFamily: "var(--font-sans)",
  },
  ".cm-search-row": { display: "flex", alignItems: "center", gap: "4px", minWidth: "0" },
  ".cm-search-field": {
    flex: "1 1 0",
    minWidth: "60px",
    maxWidth: "320px",
    height: "28px",
    padding: "0 8px",
    background: "var(--paper)",
    color: "var(--ink)",
    border: "1px solid var(--edge)",
    borderRadius: "6px",
    font: "13px var(--font-mono)",
  },
  ".cm-search-field[aria-invalid=true]": { borderColor: "var(--failed)" },
  ".cm-search-button": {
    height: "28px",
    minWidth: "28px",
    padding: "0 6px",
    borderRadius: "6px",
    color: "var(--quiet)",
    fontSize: "13px",
    whiteSpace: "nowrap",
  },
  ".cm-search-button:hover": { backgroundColor: "var(--hover)", color: "var(--ink)" },
  ".cm-search-button[aria-pressed=true]": {
    backgroundColor: "color-mix(in srgb, var(--accent) 16%, transparent)",
    color: "var(--ink)",
  },
  ".cm-search-word": { textDecoration: "underline" },
  ".cm-search-count": {
    minWidth: "72px",
    padding: "0 4px",
    color: "var(--quiet)",
    fontSize: "13px",
    fontVariantNumeric: "tabular-nums",
    whiteSpace: "nowrap",
  },
  "@media (pointer: coarse)": {
    ".cm-search-field, .cm-search-button": { height: "44px", minWidth: "44px" },
  },
  ".cm-masked": { color: "var(--quiet)", letterSpacing: "1px" },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    border: "1px solid var(--line)",
    borderRadius: "6px",
    boxShadow: "var(--float)",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--hover)",
    color: "var(--ink)",
  },
  ".cm-searchMatch": { backgroundColor: "color-mix(in srgb, var(--unsure) 30%, transparent)" },
  ".cm-selectionMatch": { backgroundColor: "var(--line)" },
  ".cm-searchMatch-selected": {
    backgroundColor: "color-mix(in srgb, var(--unsure) 55%, transparent)",
  },
});

/** The editor's theme. Uses the page's CSS variables, so light and dark mode share one theme. */
export const editorTheme = [look, syntaxHighlighting(highlightStyle)];
