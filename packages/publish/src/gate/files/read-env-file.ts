import type { NamedValue } from "../types.ts";

/** The names and values of an `.env` file. */
export function readEnvFile(text: string): NamedValue[] {
  return [
    ...text.matchAll(
      /^[ \t]{0,20}(?:export[ \t]{1,20})?([A-Za-z_]\w{0,200})[ \t]{0,20}=[ \t]*(.*)$/gm,
    ),
  ].map(([, name = "", rest = ""]) => {
    const quoted = /^(["'`])(.*)\1/.exec(rest.trim());
    return { name, value: quoted ? quoted[2]! : rest.replace(/\s#.*$/, "").trim() };
  });
}
