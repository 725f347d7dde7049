import type { CodedText, Sentence } from "@treadle/protocol/sentences";
import { FrameError } from "../wire/checks.ts";
import type { GuestReply } from "../wire/messages.ts";
import { isMethod, readParams, requestHead, type Method } from "../wire/requests.ts";
import { WorkspaceError } from "../types.ts";
import type { MethodResult, Methods } from "./methods.ts";

/**
 * Answers each request once, with its result or its error.
 * @returns a function that takes the header of a request; it throws FrameError for a request
 * without a valid number
 */
export function answerRequests(
  methods: Methods,
  send: (reply: GuestReply, body?: Uint8Array) => void,
): (header: unknown, body: Uint8Array) => void {
  function perform<M extends Method>(
    method: M,
    given: unknown,
    body: Uint8Array,
  ): MethodResult<M> | Promise<MethodResult<M>> {
    return methods[method](readParams(method, given), body);
  }

  async function answer(id: number, method: string, given: unknown, body: Uint8Array) {
    try {
      if (!isMethod(method)) throw new FrameError(`the guest has no method ${method}`);
      const answered = (await perform(method, given, body)) ?? {};
      const result = "result" in answered ? answered.result : null;
      send({ kind: "reply", id, ok: true, result }, answered.body);
    } catch (error) {
      const known = error instanceof WorkspaceError ? error : undefined;
      const { message } = error as Error;
      const code = known?.code ?? "failed";
      const coded = known && plainCode(known.sentence);
      send({ kind: "reply", id, ok: false, code, message, coded, version: known?.version });
    }
  }

  return (header, body) => {
    const { id, method } = requestHead(header);
    void answer(id, method, (header as { params?: unknown }).params, body);
  };
}

/** The code of a sentence, if its values are text and numbers: the host takes no sentences within one. */
function plainCode({ coded }: Sentence): CodedText | undefined {
  const isPlain = Object.values(coded?.values ?? {}).every((value) => typeof value !== "object");
  return isPlain ? coded : undefined;
}
