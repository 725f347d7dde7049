import { createServer, type RequestListener } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { sendOver } from "./strangers/ask.ts";
import { checkOwnedRows } from "./strangers/check-owned-rows.ts";

/** Runs the check on an app with these answers and sources. */
export async function tryOwnedRows(answer: RequestListener, ...texts: string[]) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  try {
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    return await checkOwnedRows(
      sendOver(async () => connect(port, "127.0.0.1")),
      texts.map((text, at) => ({ path: `${at}.js`, text })),
      new AbortController().signal,
    );
  } finally {
    server.close();
  }
}
