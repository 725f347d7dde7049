/**
 * Limits of one preview. A browser has about 250 connections and as many WebSockets for all of its
 * pages: a preview that used all of them would leave none to the workbench.
 */
export const PREVIEW_PLACES = { requests: 128, sockets: 64 };

/** Holds a place and can lose it. */
export interface Holder {
  /** Whether it can be closed: it is not established yet, or nothing was sent for a while. */
  isIdle(): boolean;
  end(): void;
}

interface Place {
  client: Client;
  holder: Holder;
}

interface Client {
  name: string;
  /** Number of its places. */
  count: number;
}

interface Taken {
  count: number;
  clients: Map<string, Client>;
  /** Places that can be taken away, in order of creation. */
  holders: Set<Place>;
}

/** Grants a limited number of places for each key, such as a project or a link. */
export interface Places {
  /**
   * Takes a place. If the client or the key has none left, an idle holder loses its place: the
   * oldest one, of the client with the most.
   * @returns a function that releases the place; undefined if no place is free
   */
  take(key: string, client: string, holder?: Holder): (() => void) | undefined;
}

/**
 * @param most number of places per key
 * @param mostOfClient number of these that one client may have; default half, and not less: a
 * school or a tunnel has one address for many people
 */
export function createPlaces(most: number, mostOfClient = Math.ceil(most / 2)): Places {
  const all = new Map<string, Taken>();

  /**
   * Ends the idle holder whose client has the most places.
   * @param client the only client considered; undefined for any
   * @returns whether a place became free
   */
  function makeRoom({ holders }: Taken, client?: Client): boolean {
    let found: Place | undefined;
    for (const one of holders) {
      if (client !== undefined && one.client !== client) continue;
      if ((!found || one.client.count > found.client.count) && one.holder.isIdle()) found = one;
    }
    found?.holder.end();
    return found !== undefined;
  }

  return {
    take(key, name, holder) {
      let taken = all.get(key);
      taken ??= { count: 0, clients: new Map(), holders: new Set() };
      const client = taken.clients.get(name) ?? { name, count: 0 };
      if (client.count >= mostOfClient && !makeRoom(taken, client)) return undefined;
      if (taken.count >= most && !makeRoom(taken)) return undefined;
      // The entry may have been deleted when its last holder lost its place.
      all.set(key, taken);
      taken.count++;
      if (client.count++ === 0) taken.clients.set(name, client);
      const place = holder && {
        client,
        // A holder that loses its place releases it at once, and not only when it has closed.
        holder: { isIdle: () => holder.isIdle(), end: () => (leave(), holder.end()) },
      };
      if (place) taken.holders.add(place);
      let hasLeft = false;
      function leave(): void {
        if (hasLeft) return;
        hasLeft = true;
        if (place) taken!.holders.delete(place);
        if (--client.count === 0) taken!.clients.delete(name);
        if (--taken!.count === 0 && all.get(key) === taken) all.delete(key);
      }
      return leave;
    },
  };
}
