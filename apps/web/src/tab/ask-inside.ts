import { fromBase64, toBase64 } from "../ui/base64.ts";
import type { TabAnswer, TabAsk } from "@treadle/protocol";
import type { WebContainer } from "@webcontainer/api";

type Request = Extract<TabAsk, { kind: "request" }>;
type Answer = Extract<TabAnswer, { kind: "request" }>;

/** Matches the answer in the output: base64 between two markers, because a terminal may wrap the output. */
const ANSWER = /<treadle:([A-Za-z0-9+/=\s]*)>/;

/** The script for the container's own Node. Cuts off a response after 4 MiB, or once nothing has arrived for 1.5 s. */
const SCRIPT = String.raw`
const { port, method, path, headers, base64 } = JSON.parse(Buffer.from(process.argv[1], "base64").toString());
const say = (value) => { process.stdout.write("<treadle:" + Buffer.from(JSON.stringify(value)).toString("base64") + ">\n"); };
(async () => {
  try {
    const sent = Buffer.from(base64, "base64");
    const response = await fetch("http://localhost:" + port + path, { method, headers, redirect: "manual", body: sent.length > 0 ? sent : undefined });
    const pieces = [], reader = response.body && response.body.getReader();
    for (let size = 0; reader && size < 4194304; ) {
      const next = await Promise.race([reader.read(), new Promise((late) => setTimeout(late, 1500))]);
      if (!next || next.done) break;
      pieces.push(Buffer.from(next.value));
      size += next.value.length;
    }
    say({ status: response.status, headers: [...response.headers], base64: Buffer.concat(pieces).toString("base64") });
  } catch (error) {
    say({ error: String((error.cause && error.cause.message) || error.message) });
  }
  process.exit(0);
})();
`;

/**
 * Requests a port of the container from inside it, because its previews are on another site than this page.
 * @throws Error with the script's error, or the end of its output, if there was no response
 */
export async function askInside(container: WebContainer, request: Request): Promise<Answer> {
  const { kind: _kind, ...asked } = request;
  const argument = toBase64(new TextEncoder().encode(JSON.stringify(asked)));
  const process = await container.spawn("node", ["-e", SCRIPT, argument]);
  let printed = "";
  await process.output.pipeTo(new WritableStream({ write: (text) => void (printed += text) }));
  const [, answer = ""] = ANSWER.exec(printed) ?? [];
  const bytes = fromBase64(answer.replace(/\s/g, ""));
  const parsed = JSON.parse(new TextDecoder().decode(bytes) || "{}") as Partial<Answer> & {
    error?: string;
  };
  if (parsed.status === undefined || parsed.headers === undefined || parsed.base64 === undefined)
    throw new Error(parsed.error ?? printed.slice(-500));
  return { kind: "request", status: parsed.status, headers: parsed.headers, base64: parsed.base64 };
}
