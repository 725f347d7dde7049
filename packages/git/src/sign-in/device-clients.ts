import type { DeviceClient } from "./device-flow.ts";

/**
 * `TREADLE_GIT_CLIENT_IDS`: the servers with sign-in by the device flow, each with the id of the
 * OAuth application that the operator registered there, such as `https://github.com=Ov23…
 * https://git.example.com=abc…`.
 * @throws Error with a message that names the variable
 */
export function readDeviceClients(text: string | undefined): DeviceClient[] {
  return (text ?? "")
    .split(/\s+/)
    .filter(Boolean)
    .map((pair) => {
      const [, typed = "", clientId = ""] = /^([^=]+)=([\w.:-]+)$/.exec(pair) ?? [];
      const url = URL.parse(typed);
      if (!url || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "")
        throw new Error(
          `TREADLE_GIT_CLIENT_IDS names “${pair}”. Give a server and the id of its OAuth application, as in https://github.com=Ov23abc.`,
        );
      return { server: url.href.replace(/\/+$/, ""), clientId };
    });
}
