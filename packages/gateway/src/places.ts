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
  client: Client;
  holder: Holder;
}

interface Client {
  name: string;
  /** Places that it has. */
  count: number;
}

interface Taken {
  count: number;
  clients: Map<string, Client>;
  /** Places that can be given up, in the order in which they were taken. */
  holders: Set<Place>;
}

/** Grants a limited number of places for each key, such as a project or a link. */
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

  /** @param client undefined for any client. @returns whether a place became free */
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
      // It may have been empty for a moment.
      all.set(key, taken);
      taken.count++;
      if (client.count++ === 0) taken.clients.set(name, client);
      const place = holder && {
        client,
        // What gives its place up gives it back at once, and not when it has ended.
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
