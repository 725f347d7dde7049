import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  replaceAll,
  replaceNext,
  search,
  SearchQuery,
  setSearchQuery,
} from "@codemirror/search";
import { runScopeHandlers, type EditorView, type Panel, type ViewUpdate } from "@codemirror/view";
import { isComposing } from "../ui/composing.ts";
import { words } from "../words/words.ts";

/** Matches are counted up to this number. */
const MAX_MATCHES = 1000;

/** Search and replace at the top of the editor, in the page's style. */
export const searchInFile = search({ top: true, createPanel });

function createPanel(view: EditorView): Panel {
  const find = field(words.editor.find);
  find.setAttribute("main-field", "true");
  const replace = field(words.editor.replaceWith);
  const count = element("span", "cm-search-count");
  count.setAttribute("role", "status");
  const caseSensitive = toggle("Aa", words.editor.matchCase);
  const wholeWord = toggle("ab", words.editor.wholeWord);
  wholeWord.classList.add("cm-search-word");
  const regexp = toggle(".*", words.editor.expression);
  const switches = [caseSensitive, wholeWord, regexp];

  const shown = () => {
    const query = getSearchQuery(view.state);
    if (find.value !== query.search) find.value = query.search;
    if (replace.value !== query.replace) replace.value = query.replace;
    press(caseSensitive, query.caseSensitive);
    press(wholeWord, query.wholeWord);
    press(regexp, query.regexp);
    const isWrong = query.search !== "" && !query.valid;
    find.setAttribute("aria-invalid", String(isWrong));
    count.textContent = isWrong ? words.editor.noExpression : counted(view, query);
  };
  const commit = () => {
    const query = new SearchQuery({
      search: find.value,
      replace: replace.value,
      caseSensitive: isPressed(caseSensitive),
      wholeWord: isPressed(wholeWord),
      regexp: isPressed(regexp),
    });
    if (!query.eq(getSearchQuery(view.state))) view.dispatch({ effects: setSearchQuery.of(query) });
  };
  for (const one of switches)
    one.addEventListener("click", () => {
      press(one, !isPressed(one));
      commit();
    });
  find.addEventListener("input", commit);
  replace.addEventListener("input", commit);

  const dom = element("div", "cm-search-own");
  dom.setAttribute("role", "search");
  dom.append(
    row(
      find,
      ...switches,
      count,
      button("↑", words.editor.before, () => findPrevious(view)),
      button("↓", words.editor.next, () => findNext(view)),
      button("×", words.editor.endSearch, () => closeSearchPanel(view)),
    ),
    row(
      replace,
      button(words.editor.replace, words.editor.replace, () => replaceNext(view)),
      button(words.editor.replaceAll, words.editor.replaceAll, () => replaceAll(view)),
    ),
  );
  dom.addEventListener("keydown", (event) => {
    if (isComposing(event)) return;
    if (runScopeHandlers(view, event, "search-panel")) event.preventDefault();
    else if (event.key === "Enter" && event.target === find) {
      event.preventDefault();
      (event.shiftKey ? findPrevious : findNext)(view);
    } else if (event.key === "Enter" && event.target === replace) {
      event.preventDefault();
      replaceNext(view);
    }
  });
  shown();
  return {
    dom,
    top: true,
    mount: () => find.select(),
    update(update: ViewUpdate) {
      const asked = update.transactions.some((one) =>
        one.effects.some((effect) => effect.is(setSearchQuery)),
      );
      if (asked || update.docChanged || update.selectionSet) shown();
    },
  };
}

/** "3 of 12", or a text for no matches; "" for an empty query. */
function counted(view: EditorView, query: SearchQuery): string {
  if (query.search === "") return "";
  const { main } = view.state.selection;
  let all = 0;
  let at = 0;
  const cursor = query.getCursor(view.state);
  for (let next = cursor.next(); !next.done && all < MAX_MATCHES; next = cursor.next()) {
    all++;
    if (next.value.from === main.from && next.value.to === main.to) at = all;
  }
  if (all === 0) return words.editor.noMatch;
  return words.editor.matchOf({ at, all, more: all === MAX_MATCHES });
}

function element<K extends keyof HTMLElementTagNameMap>(name: K, className: string) {
  const made = document.createElement(name);
  made.className = className;
  return made;
}

function row(...children: HTMLElement[]): HTMLElement {
  const made = element("div", "cm-search-row");
  made.append(...children);
  return made;
}

function field(name: string): HTMLInputElement {
  const made = element("input", "cm-search-field");
  made.setAttribute("aria-label", name);
  made.placeholder = name;
  made.spellcheck = false;
  made.autocomplete = "off";
  return made;
}

function button(label: string, name: string, act: () => void): HTMLButtonElement {
  const made = element("button", "cm-search-button");
  made.type = "button";
  made.textContent = label;
  made.title = name;
  if (label !== name) made.setAttribute("aria-label", name);
  made.addEventListener("click", act);
  return made;
}

function toggle(label: string, name: string): HTMLButtonElement {
  const made = button(label, name, () => {});
  press(made, false);
  return made;
}

const isPressed = (one: HTMLElement) => one.getAttribute("aria-pressed") === "true";
const press = (one: HTMLElement, is: boolean) => one.setAttribute("aria-pressed", String(is));
