import type { Signer } from "@treadle/store";

/**
 * Marks of browsers that have signed in as a person. Nobody can sign in with a mark; but attempts from a marked
 * browser have a limit of their own, so that strangers who guess cannot lock the person out.
 */
export interface KnownBrowsers {
  /** The value of the cookie that marks the browser, which is not the session's cookie. */
  markOf(person: string): string;
  isKnown(mark: string | undefined, person: string): boolean;
}

export function createKnownBrowsers(signer: () => Signer): KnownBrowsers {
  const parts = (person: string) => ["known-browser", person];
  return {
    markOf: (person) => signer().sign(parts(person)),
    isKnown: (mark, person) => mark !== undefined && signer().isSigned(parts(person), mark),
  };
}
