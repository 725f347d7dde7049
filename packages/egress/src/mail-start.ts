import type { Duplex } from "node:stream";

/** What a mail client may say unencrypted (RFC 5321 and RFC 3207): no login, and nothing of a mail. */
const UNENCRYPTED = /^(?:EHLO|HELO|NOOP|RSET|QUIT|STARTTLS)\b/i;
/** Characters of a command, and bytes of all that a server says before it is encrypted. */
const COMMAND_LIMIT = 1_024;
const SAID_LIMIT = 64 * 1024;
/** For both to agree. Milliseconds. */
const AGREE_MS = 30_000;
/** A last line of an answer, with its code. */
const ANSWER = /^(\d{3})(?: .*)?\r\n/m;

/** The answer to each command of a client that would continue unencrypted; its user sees it. */
const ENCRYPT_FIRST = "530 5.7.0 Mail leaves here only encrypted, and STARTTLS was not used\r\n";

/**
 * `encrypted`: the client's next bytes are encrypted. `ended`: one side closed. Otherwise the client would continue
 * unencrypted, and must be refused.
 */
export type MailStart = "encrypted" | "ended" | { refuse: string };

/**
 * Passes on what a mail server (port 587, 25, 2525) and its client say to each other, until they have agreed to encrypt it.
 * Such a server speaks first, as those of no other protocol that may go out of a sandbox do.
 */
export function passMailStart(client: Duplex, server: Duplex): Promise<MailStart> {
  return new Promise((resolve) => {
    let asked = "";
    let answered = "";
    let sentBytes = 0;
    /** The client waits for the server to agree. */
    let waits = false;

    const give = (start: MailStart) => {
      clearTimeout(late);
      client.off("data", onClient).off("end", onEnd).off("close", onEnd).pause();
      server.off("data", onServer).off("end", onEnd).pause();
      resolve(start);
    };
    const onEnd = () => give("ended");
    const refuse = (commands = 1) => give({ refuse: ENCRYPT_FIRST.repeat(commands) });

    const onServer = (piece: Buffer) => {
      if (sentBytes === 0 && !/^220[ -]/.test(piece.toString("latin1", 0, 4))) return refuse();
      sentBytes += piece.length;
      if (sentBytes > SAID_LIMIT) return give("ended");
      client.write(piece);
      if (!waits) return;
      answered += piece.toString("latin1");
      const code = ANSWER.exec(answered)?.[1];
      if (code === "220") give("encrypted");
      else if (code !== undefined) waits = false;
    };

    const onClient = (piece: Buffer) => {
      const commands = (asked + piece.toString("latin1")).split("\r\n");
      asked = commands.pop()!;
      if (asked.length > COMMAND_LIMIT) return refuse();
      for (const [index, command] of commands.entries()) {
        const left = commands.length - index;
        const isFit = command.length <= COMMAND_LIMIT && UNENCRYPTED.test(command);
        if (waits || !isFit) return refuse(left);
        waits = /^STARTTLS\b/i.test(command);
        // Bytes after it arrived unencrypted and would be mistaken for encrypted ones.
        if (waits && (left > 1 || asked !== "")) return refuse(left);
        answered = "";
        server.write(`${command}\r\n`, "latin1");
      }
    };

    const late = setTimeout(onEnd, AGREE_MS);
    client.on("data", onClient).on("end", onEnd).on("close", onEnd).resume();
    server.on("data", onServer).on("end", onEnd).resume();
  });
}
