/**
 * This module stores the attachments of unsent messages in the browser, so that they survive a reload. Its functions
 * never fail.
 */

interface Draft {
  /** Milliseconds since 1970. */
  at: number;
  items: unknown[];
}

/** Number of drafts stored, the newest; one can take several megabytes. */
const MAX_DRAFTS = 24;
const STORE = "drafts";

let opening: Promise<IDBDatabase> | undefined;

/** The items stored under a name; empty if the browser stores nothing. */
export async function readDraft<Item>(name: string): Promise<Item[]> {
  try {
    const store = (await open()).transaction(STORE).objectStore(STORE);
    const draft = await answerOf<Draft | undefined>(store.get(name));
    return (draft?.items ?? []) as Item[];
  } catch {
    return [];
  }
}

/** Stores items (plain data and blobs) under a name, replacing earlier ones; removes the entry if there are none. */
export async function saveDraft(name: string, items: readonly unknown[]): Promise<void> {
  try {
    const store = (await open()).transaction(STORE, "readwrite").objectStore(STORE);
    if (items.length === 0) {
      store.delete(name);
      return;
    }
    store.put({ at: Date.now(), items: [...items] } satisfies Draft, name);
    await forgetOldest(store);
  } catch {
    // In a private window, or with a full disk, they last as long as the page.
  }
}

async function forgetOldest(store: IDBObjectStore): Promise<void> {
  const names = await answerOf(store.getAllKeys());
  if (names.length <= MAX_DRAFTS) return;
  const ages = await Promise.all(
    names.map(async (name) => ({ name, at: (await answerOf<Draft>(store.get(name))).at })),
  );
  ages.sort((a, b) => b.at - a.at);
  for (const { name } of ages.slice(MAX_DRAFTS)) store.delete(name);
}

function open(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((resolve, reject) => {
    const asked = indexedDB.open("treadle", 2);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error ?? new Error("There is no storage."));
  });
  opening.catch(() => (opening = undefined));
  return opening;
}

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("The storage does not answer."));
  });
}
