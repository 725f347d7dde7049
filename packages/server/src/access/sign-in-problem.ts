import type { ApiFailure } from "@treadle/common";
import { ACCOUNT_SENTENCES } from "./account-sentences.ts";
import type { signedOutWords } from "./signed-out-words.ts";

type Tag = ReturnType<typeof signedOutWords>["tag"];

/** Why a sign-in failed, in the language of the page; in English if there is no translation. */
export function signInProblem({ coded, message }: ApiFailure, tag: Tag): string {
  if (tag === "en" || coded === undefined) return message;
  const sentences = ACCOUNT_SENTENCES[tag] as Record<string, ((values: never) => string) | undefined>; // prettier-ignore
  const write = Object.hasOwn(sentences, coded.code) ? sentences[coded.code] : undefined;
  return write?.((coded.values ?? {}) as never) ?? message;
}
