import type { Gateway } from "@treadle/gateway";
import { newCapability, previewOrigin, readPreviewHost } from "@treadle/common";
import { createAnswers, type Answering } from "./answering.ts";
import { createDoor, type Published } from "./door.ts";

/** Releases that are looked at by our own browser, each at a host that nobody else can reach or guess. */
export interface Candidates {
  /** Has a host as long as `work` goes on. @param work given its origin */
  withHost<Result>(
    project: string,
    answering: Answering,
    work: (origin: string) => Promise<Result>,
  ): Promise<Result>;
  /** The gateway of previews, with the candidates among them: for the looking browser, and for nothing else. */
  among(gateway: Gateway): Pick<Gateway, "handle" | "upgrade" | "connect">;
}

/** @param token Treadle's own: an app never sees it */
export function createCandidates(appOrigin: () => string, token: string): Candidates {
  const open = new Map<string, Published>();
  const find = (host: string | undefined) => open.get(readPreviewHost(host)?.capability ?? "");
  const door = createDoor(token);
  return {
    async withHost(project, answering, work) {
      const capability = newCapability();
      const answers = createAnswers();
      answers.put(answering);
      // What a look provokes is no error of the people who use it.
      open.set(capability, { project, answers, onRequest() {}, onError() {} });
      try {
        return await work(previewOrigin(appOrigin(), capability));
      } finally {
        open.delete(capability);
      }
    },
    among: (gateway) => ({
      handle(request, response, looked) {
        const candidate = find(request.headers.host);
        if (candidate) door.handle(candidate, request, response);
        else gateway.handle(request, response, looked);
      },
      upgrade(request, socket, head) {
        const candidate = find(request.headers.host);
        if (candidate) door.upgrade(candidate, request, socket, head);
        else gateway.upgrade(request, socket, head);
      },
      connect: (host, port) =>
        // An app has the one port that answers.
        find(host) ? Promise.resolve(undefined) : gateway.connect(host, port),
    }),
  };
}
