import type { Sending } from "./target.ts";

/**
 * `TREADLE_TEST_STAND_INS`: servers on this machine that tests put in the place of other hosts' APIs, as
 * `https://api.netlify.com/api/v1=http://127.0.0.1:4000 …`. What runs in a project cannot set it.
 * @throws Error where one of them is not of this machine
 */
export function readStandIns(text: string | undefined): Sending["origin"] {
  const all = new Map(
    (text ?? "")
      .split(" ")
      .filter(Boolean)
      .map((pair) => {
        const [own = "", url = ""] = pair.split("=");
        if (!/^http:\/\/(?:127\.0\.0\.1|\[::1\]):\d+$/.test(url))
          throw new Error(
            `TREADLE_TEST_STAND_INS names “${pair}”. Give a host and a server of this machine, as in https://api.example=http://127.0.0.1:4000.`,
          );
        return [own, url] as const;
      }),
  );
  return (own) => {
    const url = all.get(own);
    return url === undefined ? { url: own, local: false } : { url, local: true };
  };
}
