/** An SMTP server without encryption that keeps the mails that it is sent. */
import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";

export interface SmtpServer {
  port: number;
  /** Each mail as it was sent, with its envelope. */
  mails: { from: string; to: string; content: string }[];
  /** The answer to the next recipients; empty: accepted. */
  refusal: string;
  close(): Promise<void>;
}

/** @param password of the only user, `user`; every other sign-in is refused */
export async function startSmtpServer(password: string): Promise<SmtpServer> {
  const server = createServer((socket) => {
    let [from, to, buffer] = ["", "", ""];
    let isContent = false;
    const respond = (line: string) => void socket.write(`${line}\r\n`);
    const answer = (line: string) => {
      if (/^EHLO/i.test(line)) return respond("250-here\r\n250 AUTH PLAIN");
      if (/^AUTH PLAIN /i.test(line)) {
        const login = Buffer.from(line.slice(11), "base64").toString();
        return respond(login === `\0user\0${password}` ? "235 ok" : "535 wrong");
      }
      if (/^STARTTLS/i.test(line)) return respond("502 not here");
      if (/^MAIL FROM:/i.test(line)) from = /<(.*)>/.exec(line)?.[1] ?? "";
      if (/^RCPT TO:/i.test(line)) {
        if (running.refusal) return respond(running.refusal);
        to = /<(.*)>/.exec(line)?.[1] ?? "";
      }
      if (/^DATA/i.test(line)) {
        isContent = true;
        return respond("354 go on");
      }
      return respond("250 ok");
    };
    respond("220 here");
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => {
      buffer += chunk.toString();
      for (;;) {
        const end = isContent ? "\r\n.\r\n" : "\r\n";
        const at = buffer.indexOf(end);
        if (at === -1) return;
        const text = buffer.slice(0, at);
        buffer = buffer.slice(at + end.length);
        if (isContent) {
          isContent = false;
          running.mails.push({ from, to, content: text });
          respond("250 taken");
        } else answer(text);
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const running: SmtpServer = {
    port: (server.address() as AddressInfo).port,
    mails: [],
    refusal: "",
    close: async () => {
      server.close();
      await once(server, "close");
    },
  };
  return running;
}
