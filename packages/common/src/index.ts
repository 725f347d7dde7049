/** Code shared by several packages. */
export { ApiFailure, notFound } from "./api-failure.ts";
export { admitUpgrade, refuseRequest } from "./http/admit-request.ts";
export { ANSWER_HEAD_BYTES, HEAD_TOO_LONG, isHeadTooLong } from "./http/answer-head.ts";
export { boundConnections, HANDSHAKE_MS } from "./http/bound-connections.ts";
export { endSoon } from "./http/end-soon.ts";
export { type Framing, framingHeader, readFraming } from "./http/framing.ts";
export { ListenError } from "./http/listen-error.ts";
export { namesOneHost } from "./http/one-host.ts";
export { CONNECTIONS, type Handlers, openListener, shutListener } from "./http/open-listener.ts";
export {
  appOrigins,
  isPreviewHost,
  previewDomainOf,
  previewOrigin,
  type PreviewHost,
  readPreviewHost,
  siblingOrigin,
} from "./http/preview-host.ts";
export {
  type PublicAddress,
  publicPreviewOrigin,
  readPublicAddress,
} from "./http/public-address.ts";
export { readRequestTarget, type RequestTarget } from "./http/request-target.ts";
export { SAFE_METHODS } from "./http/safe-methods.ts";
export { overTls, speaksTls } from "./http/secure-port.ts";
export { createSilenceWatch } from "./http/silence-watch.ts";
export { createFrameFilter, type FrameHead } from "./http/socket-frames.ts";
export {
  clientOf,
  isForwarding,
  NO_PROXIES,
  readTrustedProxies,
  type TrustedProxies,
  type Visitor,
  visitorOf,
} from "./http/visitor.ts";
export {
  newCapability,
  newComparisonId,
  newMessageId,
  newProjectId,
  newRunId,
  newShareId,
} from "./ids.ts";
export { createRefresh, type StoredMap, openStoredMap } from "./stored-map.ts";
export { sameToken } from "./same-token.ts";
export { createGroupSemaphore } from "./waiting/group-semaphore.ts";
export { inTime } from "./waiting/in-time.ts";
export { createSemaphore, type Semaphore } from "./waiting/semaphore.ts";
export { FILES_AT_ONCE, someAtOnce } from "./waiting/some-at-once.ts";
export { createTokenBucket, type TokenBucket } from "./waiting/token-bucket.ts";
export { createBacklog, type TextBacklog } from "./text/backlog.ts";
export { keepText, KEPT, type KeptText } from "./text/kept-text.ts";
export { COMMON_HEADERS } from "./http/common-headers.ts";
export { isLoopbackAddress, isOwnAddress, isOwnHost, ownAddress } from "./http/own-host.ts";
export { pickLanguage } from "./http/pick-language.ts";
export { MARK, SIGNED_OUT_STYLE } from "./http/signed-out-style.ts";
