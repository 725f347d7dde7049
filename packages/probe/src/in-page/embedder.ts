/** Treadle's page, in whose frame the preview is. */
export interface Embedder {
  post(type: string, what?: object): void;
  hear(listener: (message: { type?: unknown }) => void): void;
}

/** Treadle's page, at one of its origins; undefined anywhere else. A frame within the app is a part of it, not the preview. */
export function findEmbedder(origins: readonly string[]): Embedder | undefined {
  const { parent, top } = window;
  const origin = location.ancestorOrigins ? location.ancestorOrigins[0] : origins[0];
  if (top === window || parent !== top || origin === undefined || !origins.includes(origin))
    return undefined;
  return {
    post: (type, what) => parent.postMessage({ type: `treadle:${type}`, ...what }, origin),
    hear: (listener) =>
      window.addEventListener("message", (event) => {
        if (event.source === parent && event.origin === origin && event.data) listener(event.data);
      }),
  };
}
