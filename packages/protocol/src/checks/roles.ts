/** ARIA roles that can name an element, as in the page's outline. */
export const ROLES: ReadonlySet<string> = new Set(
  (
    "alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox " +
    "complementary contentinfo definition deletion dialog directory document emphasis feed figure form grid gridcell " +
    "group heading img insertion link list listbox listitem log main marquee math menu menubar menuitem " +
    "menuitemcheckbox menuitemradio meter navigation note option paragraph progressbar radio radiogroup region row " +
    "rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong subscript superscript " +
    "switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem"
  ).split(" "),
);

/** Roles with a value: the outline prints it after a colon, like the text of other roles. */
export const VALUE_ROLES: ReadonlySet<string> = new Set([
  "combobox",
  "searchbox",
  "slider",
  "spinbutton",
  "textbox",
]);

/**
 * HTML elements without a role of the same name, for people who use the element's name: `header` is
 * a `banner`, and sometimes none. `page` is the whole page.
 */
export const ELEMENTS: ReadonlyMap<string, string> = new Map([
  ["page", "body"],
  ...(
    "aside body details fieldset footer h1 h2 h3 h4 h5 h6 header iframe input label legend li nav ol output p pre " +
    "section select summary svg canvas tbody td textarea tfoot th thead tr ul video"
  )
    .split(" ")
    .map((name): [string, string] => [name, name]),
]);
