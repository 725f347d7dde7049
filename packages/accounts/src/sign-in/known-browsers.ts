import type { Signer } from "@treadle/store";

/**
 * Marks of browsers that have signed in as a person. A mark signs nobody in: attempts with it have a
 * limit of their own, so that strangers who guess cannot lock the person out.
 */
export interface KnownBrowsers {
  /** The value of the browser's second cookie. */
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
