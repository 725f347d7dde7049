/** Name of the proxy's socket. */
export const PROXY_SOCKET = "proxy.sock";
