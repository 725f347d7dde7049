import type { Sending } from "./target.ts";

/**
 * Parses `TREADLE_TEST_STAND_INS`: local servers with which tests replace other hosts' APIs, as
 * `https://api.netlify.com/api/v1=http://127.0.0.1:4000 …`. Code in a project cannot set it.
 * @throws Error if one of them is not on this machine
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
