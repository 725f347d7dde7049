import { connect, type Treadle } from "@treadle/client";
import type { RunningTreadle } from "./treadle.ts";

/** Somebody with an account, who uses the server as a program of theirs. */
export interface Member {
  name: string;
  token: string;
  treadle: Treadle;
}

/** The server's owner enters by the printed link. */
export async function enterOwner(server: RunningTreadle): Promise<Member> {
  const link = new URL(server.address).searchParams.get("link")!;
  return enter(server, "Owner", { link });
}

/** Somebody enters by an invitation to one project, with a password. */
export async function invite(
  server: RunningTreadle,
  inviter: Member,
  { name, project }: { name: string; project?: string },
): Promise<Member> {
  const { data } = await inviter.treadle.api.POST("/api/invitations", {
    body: {
      role: "member",
      email: `${name.toLowerCase()}@example.org`,
      ...(project !== undefined && { project: { id: project, role: "editor" } }),
    },
  });
  const link = new URL(data!.link).searchParams.get("link")!;
  return enter(server, name, { link, name, password: "correct horse battery" });
}

async function enter(
  { origin }: RunningTreadle,
  name: string,
  body: { link: string; name?: string; password?: string },
): Promise<Member> {
  const post = async (path: string, json: unknown, cookie = "") => {
    const response = await fetch(`${origin}${path}`, {
      method: "POST",
      headers: { origin, "content-type": "application/json", cookie },
      body: JSON.stringify(json),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const entered = await post("/api/sign-in/link/use", body);
  const cookie = entered.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  const scopes = ["read", "write", "publish", "manage"];
  const made = await post("/api/me/tokens", { name: "Program", scopes }, cookie);
  const { token } = (await made.json()) as { token: string };
  return { name, token, treadle: connect({ url: origin, token }) };
}
