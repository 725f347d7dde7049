/** Hostnames as normalised by URL parsing, including every name below `localhost` and IPv4-mapped IPv6 addresses. */
const LOOPBACK =
  /^(?:(?:.+\.)?localhost\.?|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:(?:7f[\da-f]{2}:[\da-f]{1,4}|0:0)\])$/;

/** Whether a parsed URL's hostname is this machine. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname);
