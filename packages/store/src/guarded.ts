/** Wraps an object so that every rejection of its asynchronous methods passes through `toError`. */
export function guarded<T extends object>(target: T, toError: (error: unknown) => Error): T {
  return new Proxy(target, {
    get(object, key) {
      const value: unknown = Reflect.get(object, key);
      if (typeof value !== "function") return value;
      return (...words: unknown[]) => {
        const result: unknown = Reflect.apply(value, object, words);
        if (!(result instanceof Promise)) return result;
        return result.catch((error: unknown) => {
          throw toError(error);
        });
      };
    },
  });
}
