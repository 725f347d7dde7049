import { useEffect, useRef } from "react";
import type { Light } from "./lights.ts";

/** How a light that is held or may not move is drawn: lit. */
const DARK = 0.12;

/** Makes an element shine in the light's own time; still where it is held, or where less motion was asked for. */
export function useRhythm<E extends Element>(light: Light, held: boolean) {
  const element = useRef<E>(null);
  useEffect(() => {
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (element.current === null || held || still) return;
    const animation = element.current.animate(keyframes(light), {
      duration: light.period * 1000,
      iterations: Infinity,
    });
    // All lights count from the same moment, so that they keep step with their lines in the list.
    animation.startTime = 0;
    return () => animation.cancel();
  }, [light, held]);
  return element;
}

function keyframes({ lit, period }: Light): Keyframe[] {
  const frames = lit.flatMap(([from, to]) => [
    { opacity: 1, offset: from / period, easing: "steps(1, end)" },
    { opacity: DARK, offset: to / period, easing: "steps(1, end)" },
  ]);
  return [...frames, { opacity: DARK, offset: 1 }];
}
