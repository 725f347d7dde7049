/** Lets what is done under one name wait for what is being done under it; other names are not held up. */
export function createTurns(): <T>(name: string, act: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (name, act) => {
    const before = last.get(name) ?? Promise.resolve();
    const own = before.then(act, act);
    last.set(name, own);
    const forget = () => {
      if (last.get(name) === own) last.delete(name);
    };
    own.then(forget, forget);
    return own;
  };
}
