/**
 * Places in one preview. A browser has some 250 connections and as many sockets for all of its pages: a preview that took
 * them all would leave none to the workbench.
 */
export const PREVIEW_PLACES = { requests: 128, sockets: 64 };

/** What holds a place and can lose it. */
export interface Holder {
  /** Whether nobody would miss it: nothing was agreed on it yet, or nothing has been sent on it for a while. */
  isIdle(): boolean;
  end(): void;
}

interface Place {
  client: string;
  holder: Holder | undefined;
}

interface Taken {
  /** In the order in which they were taken. */
  places: Set<Place>;
  /** How many of them each client has. */
  ofClient: Map<string, number>;
}

/** Hands out a limited number of places under each key: a project, a link. */
export interface Places {
  /**
   * Takes a place. If the client or the key has none left, an idle holder gives its place up: the oldest one, of the client
   * that has most.
   * @returns what gives the place back; undefined if there is none
   */
  take(key: string, client: string, holder?: Holder): (() => void) | undefined;
}

/**
 * @param most places under each key
 * @param mostOfClient places of these that one client may have. Half, if it is left out, and not few: a school or a tunnel
 * has one address for many people.
 */
export function createPlaces(most: number, mostOfClient = Math.ceil(most / 2)): Places {
  const all = new Map<string, Taken>();

  function leave(key: string, place: Place): void {
    const taken = all.get(key);
    if (!taken?.places.delete(place)) return;
    const left = taken.ofClient.get(place.client)! - 1;
    if (left > 0) taken.ofClient.set(place.client, left);
    else taken.ofClient.delete(place.client);
    if (taken.places.size === 0) all.delete(key);
  }

  /** @param client undefined for whoever it is. @returns whether a place has become free */
  function makeRoom(key: string, client?: string): boolean {
    const { places, ofClient } = all.get(key)!;
    let found: Place | undefined;
    for (const one of places) {
      if (client !== undefined && one.client !== client) continue;
      const isOfMore = !found || ofClient.get(one.client)! > ofClient.get(found.client)!;
      if (isOfMore && one.holder?.isIdle()) found = one;
    }
    if (!found) return false;
    leave(key, found);
    found.holder!.end();
    return true;
  }

  return {
    take(key, client, holder) {
      const own = all.get(key)?.ofClient.get(client) ?? 0;
      if (own >= mostOfClient && !makeRoom(key, client)) return undefined;
      if ((all.get(key)?.places.size ?? 0) >= most && !makeRoom(key)) return undefined;
      let taken = all.get(key);
      if (!taken) all.set(key, (taken = { places: new Set(), ofClient: new Map() }));
      const place = { client, holder };
      taken.places.add(place);
      taken.ofClient.set(client, (taken.ofClient.get(client) ?? 0) + 1);
      return () => leave(key, place);
    },
  };
}
