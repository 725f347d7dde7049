/** Interval between two steps of the beat, in milliseconds. */
const BEAT_MS = 700;

/**
 * Starts the beat at which progress marks pulse. A CSS animation would be drawn 60 times a second while a model works,
 * which took a fifth of the page's time while a file streamed in; with the beat, the page draws only when it changes.
 */
export function startBeat(): void {
  const { dataset } = document.documentElement;
  setInterval(() => {
    if (document.querySelector(".pulsing") === null) delete dataset["beat"];
    else dataset["beat"] = dataset["beat"] === "out" ? "in" : "out";
  }, BEAT_MS);
}
