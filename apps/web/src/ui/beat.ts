/** Milliseconds between two turns of the beat. */
const BEAT_MS = 700;

/**
 * The beat that marks of work going on pulse to. An endless animation is drawn 60 times a second for as long as a model
 * works, which cost a fifth of all that the page did while a file streamed in; this one is drawn when it changes.
 */
export function startBeat(): void {
  const { dataset } = document.documentElement;
  setInterval(() => {
    if (document.querySelector(".pulsing") === null) delete dataset["beat"];
    else dataset["beat"] = dataset["beat"] === "out" ? "in" : "out";
  }, BEAT_MS);
}
