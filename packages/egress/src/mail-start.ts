import type { Duplex } from "node:stream";

/**
 * Commands that a mail client may send unencrypted (RFC 5321 and RFC 3207): no login, and no part
 * of a mail.
 */
const UNENCRYPTED = /^(?:EHLO|HELO|NOOP|RSET|QUIT|STARTTLS)\b/i;
/** Maximum length of a command in characters, and of a server's unencrypted data in bytes. */
const COMMAND_LIMIT = 1_024;
const SAID_LIMIT = 64 * 1024;
/** Time limit for both sides to start encryption, in milliseconds. */
const AGREE_MS = 30_000;
/** The last line of a reply, with its code. */
const ANSWER = /^(\d{3})(?: .*)?\r\n/m;

/** The reply to each command of a client that would continue unencrypted; its user sees it. */
const ENCRYPT_FIRST = "530 5.7.0 Mail leaves here only encrypted, and STARTTLS was not used\r\n";

/**
 * `encrypted`: the client's next bytes are encrypted. `ended`: one side closed. Otherwise the client would continue
 * unencrypted, and must be refused.
 */
export type MailStart = "encrypted" | "ended" | { refuse: string };

/**
 * Forwards the conversation of a mail server (port 587, 25, 2525) and its client until they start
 * encryption. Mail servers speak first, unlike servers of all other permitted protocols.
 */
export function passMailStart(client: Duplex, server: Duplex): Promise<MailStart> {
  return new Promise((resolve) => {
    let asked = "";
    let answered = "";
    let sentBytes = 0;
    /** Whether the client waits for the server's agreement. */
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
