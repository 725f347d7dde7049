import { expect, it } from "vitest";
import { streamTransition, type StreamEvent, type StreamPhase } from "./audit-stream.ts";

it("never sends twice at once, and does nothing after the end, whatever comes in whatever order", () => {
  const events: StreamEvent[] = ["added", "sent", "failed", "due", "close"];
  const phases: StreamPhase[] = ["idle", "sending", "sending-more", "pausing", "closed"];
  for (const phase of phases)
    for (const event of events) {
      const { state, effects } = streamTransition(phase, event);
      if (phase === "closed") expect([state, effects]).toEqual(["closed", []]);
      const isSending = phase.startsWith("sending") && event !== "sent" && event !== "failed";
      if (isSending) expect(effects).not.toContain("send");
      if (effects.includes("send")) expect(state).toBe("sending");
    }
});
