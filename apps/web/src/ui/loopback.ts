/** As addresses are written once they are read: every name below `localhost`, IPv4 within IPv6 among them. */
const LOOPBACK =
  /^(?:(?:.+\.)?localhost\.?|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:(?:7f[\da-f]{2}:[\da-f]{1,4}|0:0)\])$/;

/** Whether a host, as an address that was read names it, is the machine itself. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname);
