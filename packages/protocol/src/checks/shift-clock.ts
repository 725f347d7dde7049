/**
 * A script for pages or Node that shifts `Date` by a number of milliseconds, forward or (if negative) backward. Time
 * continues from there; timers are not affected.
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
