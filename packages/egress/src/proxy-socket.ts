/** Name of the proxy's socket among the ways out. */
export const PROXY_SOCKET = "proxy.sock";
