/** What somebody may search for; none of it is in a message about a shop with a basket. */
export const HOSTILE_TEXTS = [
  '"',
  '""',
  'a"b OR c*',
  "abc\0def",
  "\0\0\0",
  "\ud800abc",
  "ab\udc00",
  "NEAR(basket, 5)",
  "text : basket",
  "{text} : ^basket",
  "basket AND NOT basket",
  "- * ^ ( ) :",
  "%_%_%",
  "'; drop table messages; --",
  "İ İ İ",
  `${"a ".repeat(99)}`,
  "𝕏".repeat(60),
  "\u0301\u0301\u0301\u0301",
];

/** Messages whose texts a database may trip over. */
export const ODD_MESSAGES = [
  "\0",
  "a\0needle",
  "\ud800needle",
  "needle\udfff",
  "\ufeffneedle",
  "İneedle",
  "",
];
