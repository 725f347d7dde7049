import format, { type CompiledMessage, type FormatOptions } from "icu-minify/format";

const made = new Map<string, unknown>();

/**
 * Returns a function that creates a formatter for its arguments, and returns the same one the next time, because
 * creating one takes longer than using it.
 */
function once<Formatter>(kind: string, make: (...args: FormatterArguments) => Formatter) {
  return (...args: FormatterArguments): Formatter => {
    const key = `${kind} ${JSON.stringify(args)}`;
    if (!made.has(key)) made.set(key, make(...args));
    return made.get(key) as Formatter;
  };
}

type FormatterArguments = [language?: Intl.LocalesArgument, options?: object];

const formatters: FormatOptions["formatters"] = {
  getNumberFormat: once("number", (...args) => new Intl.NumberFormat(...args)),
  getPluralRules: once("plural", (...args) => new Intl.PluralRules(...args)),
  getDateTimeFormat: once("date", (...args) => new Intl.DateTimeFormat(...args)),
};

/**
 * Formats a compiled message in the language of a BCP 47 tag. Literal numbers keep their digits; counts (`#`) are
 * formatted in the language's style.
 */
export const formatMessage = (
  message: CompiledMessage,
  tag: string,
  values: Record<string, unknown>,
): string => format(message, tag, values as Record<string, string>, { formatters }) as string;
