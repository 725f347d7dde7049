/**
 * A script, for a page or for Node, after which `Date` tells a time that is so many milliseconds ahead (or, below zero,
 * behind). It goes on as time does; timers keep their pace.
 */
export const shiftClock = (ms: number): string => `(() => {
  const Real = Date, ahead = ${Math.round(ms)};
  const now = () => Real.now() + ahead;
  globalThis.Date = new Proxy(Real, {
    construct: (of, given, by) => Reflect.construct(of, given.length === 0 ? [now()] : given, by),
    apply: () => new Real(now()).toString(),
    get: (of, key) => (key === "now" ? now : Reflect.get(of, key)),
  });
  Real.prototype.constructor = globalThis.Date;
})();`;
