import { Readable, Writable } from "node:stream";
import {
  agent,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
} from "@agentclientprotocol/sdk";
import { VERSION } from "@treadle/common/version";
import { ensureSandbox } from "../folders/ensure-sandbox.ts";
import { EXIT } from "../terminal/exit-status.ts";
import { plain } from "../terminal/plain.ts";
import { sentence } from "../terminal/sentence.ts";
import { readPrompt } from "./read-prompt.ts";
import { isMode, MODES, openSession, type Session } from "./session.ts";

/**
 * `treadle acp`: runs Treadle as an agent in an editor, with the Agent Client Protocol on standard
 * input and output.
 */
export async function acp(command: {
  data?: string | undefined;
  unsafe: boolean;
}): Promise<number> {
  // Standard output is reserved for the protocol.
  const onNotice = (text: string) => process.stderr.write(`${plain(text)}\n`);
  if (!command.unsafe && !(await ensureSandbox(onNotice))) return EXIT.usage;
  const sessions = new Map<string, Session>();
  const sessionOf = (id: string): Session => {
    const session = sessions.get(id);
    if (!session) throw RequestError.resourceNotFound(id);
    return session;
  };

  const { closed } = agent({ name: "treadle" })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: "treadle", title: "Treadle", version: VERSION },
      agentCapabilities: { promptCapabilities: { image: true, embeddedContext: true } },
      authMethods: [],
    }))
    .onRequest(methods.agent.session.new, async ({ params, client }) => {
      const session = await openSession(params.cwd, { ...command, onNotice }, client).catch(
        (error: unknown) => {
          // Editors show this error's message; for others they only report an internal error.
          throw RequestError.invalidParams(undefined, plain(sentence(error)));
        },
      );
      sessions.set(session.id, session);
      return { sessionId: session.id, modes: { currentModeId: "act", availableModes: MODES } };
    })
    .onRequest(methods.agent.session.setMode, ({ params }) => {
      if (!isMode(params.modeId)) throw RequestError.invalidParams(`no mode “${params.modeId}”`);
      sessionOf(params.sessionId).mode = params.modeId;
      return {};
    })
    .onRequest(methods.agent.session.prompt, async ({ params }) => {
      const session = sessionOf(params.sessionId);
      return { stopReason: await session.prompt(readPrompt(params.prompt, session.folder)) };
    })
    .onNotification(methods.agent.session.cancel, ({ params }) =>
      sessionOf(params.sessionId).cancel(),
    )
    .connect(
      ndJsonStream(
        Writable.toWeb(process.stdout),
        Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
      ),
    );
  const signalled = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.once(signal, () => resolve());
  });
  await Promise.race([closed, signalled]);
  for (const session of sessions.values()) await session.close();
  // An editor that ends it with a signal may keep its input open, which would keep the process
  // alive.
  process.stdin.destroy();
  return 0;
}
