/** A text for each plural form that a language has; `#` stands for the number. */
type Forms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/** Numbers with the words that go with them, as a language has it: `counted(3, { one: "# file", other: "# files" })`. */
export function countsIn(tag: string): (amount: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(tag);
  const numbers = new Intl.NumberFormat(tag);
  return (amount, forms) =>
    (forms[rules.select(amount)] ?? forms.other).replace("#", () => numbers.format(amount));
}
