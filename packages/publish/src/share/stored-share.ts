import type { ShareKind } from "@treadle/protocol";
import type { Store } from "@treadle/store";
import { type StoredMap, openStoredMap } from "@treadle/common";
import type { KeptPassword } from "./password.ts";

/**
 * A link in the store. Its secret is not stored, but derived from the data folder's key whenever it
 * is shown.
 */
export interface StoredShare {
  id: string;
  project: string;
  kind: ShareKind;
  release?: number | undefined;
  /** Milliseconds since 1970. */
  at: number;
  until?: number | undefined;
  usedAt?: number | undefined;
  uses: number;
  password?: KeptPassword | undefined;
  costs?: boolean | undefined;
  source?: boolean | undefined;
  /** Whether it is revoked although that could not be written yet. */
  isRevoked?: true | undefined;
}

export const openShareList = (store: Pick<Store, "lists">): Promise<StoredMap<StoredShare>> =>
  openStoredMap(store, "shares", ({ id }) => id);
